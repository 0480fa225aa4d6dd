import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ApiError,
  type DeprecationNotice,
  Faxdesk,
  type FaxJob,
  UncertainError,
  UnexpectedAnswerError,
  UnreachableError,
  WaitTimeoutError,
} from '../../shared/client/package/index.ts';
import { freePort } from '../setup/free-port.ts';
import { INSTALLATION_KEY, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

const LETTER = { name: 'letter.txt', content: 'Dear colleague,\nplease find the referral below.\n' };
const ORDER = { to: '+12025550123', files: LETTER };

let inbound: InboundGateway;
let gateway: TestGateway;
beforeAll(async () => {
  inbound = await InboundGateway.startPolling();
  gateway = inbound.gateway;
});
afterAll(() => inbound.close());

let requests: string[] = [];
beforeEach(() => {
  requests = [];
});

type Step = (address: string, init: RequestInit) => Promise<Response>;
const real: Step = (address, init) => fetch(address, init);

/** A client whose requests pass `step`. */
function clientWith(step: Step = real, options: Partial<ConstructorParameters<typeof Faxdesk>[0]> = {}) {
  return new Faxdesk({
    url: `${gateway.url}/`,
    key: INSTALLATION_KEY,
    fetch: (address, init = {}) => {
      const { pathname, search } = new URL(address);
      requests.push(`${init.method} ${pathname}${search}`);
      return step(address as string, init);
    },
    ...options,
  });
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function faxCount(): Promise<number> {
  const counts = (await (await gateway.request('GET', '/fax/counts')).json()) as {
    all: Record<string, number>;
  };
  return Object.values(counts.all).reduce((sum, each) => sum + each, 0);
}

/** Loses the answers of the first so many requests after the gateway gave them. */
function losing(count: number): Step {
  let left = count;
  return async (address, init) => {
    const response = await fetch(address, init);
    if (left <= 0) return response;
    left -= 1;
    await response.arrayBuffer();
    throw new TypeError('terminated');
  };
}

/** Answers the first so many requests in place of the gateway. */
function answering(count: number, status: number, headers: Record<string, string> = {}): Step {
  let left = count;
  return async (address, init) => {
    if (left <= 0) return fetch(address, init);
    left -= 1;
    const body = status === 502 ? 'Bad Gateway' : JSON.stringify({ detail: 'A sentence.' });
    return new Response(body, { status, headers: { 'X-Request-Id': 'request-1', ...headers } });
  };
}

/** Lets the provider accept the fax and report its outcome. */
async function deliver(fax: Pick<FaxJob, 'id'>, outcome: { errorId?: number; errorType?: string } = {}) {
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(fax.id);
  gateway.emulator.complete(String(provider_sid), outcome);
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
}

describe('sending', () => {
  test('rule (outbound): the API client sends one fax, however often the answer gets lost', async () => {
    const before = await faxCount();
    const first = await clientWith(losing(2)).faxes.send(ORDER, { operationId: 'lost-twice' });
    expect(first).toMatchObject({ to: ORDER.to, repeated: true, operationId: 'lost-twice' });
    expect(requests).toEqual(['POST /fax', 'POST /fax', 'POST /fax']);
    const again = await clientWith().faxes.send(ORDER, { operationId: 'lost-twice' });
    expect([again.id, again.repeated]).toEqual([first.id, true]);
    expect(await faxCount()).toBe(before + 1);
  });

  test('gives each call without an operation id one of its own', async () => {
    const before = await faxCount();
    const client = clientWith();
    const [one, two] = [await client.faxes.send(ORDER), await client.faxes.send(ORDER)];
    expect([one.repeated, two.repeated, one.operationId === two.operationId]).toEqual([false, false, false]);
    expect(await faxCount()).toBe(before + 2);
    expect(await client.faxes.find(two.operationId)).toMatchObject({ id: two.id });
    expect(await client.faxes.find('never-used')).toBeNull();
  });

  test('reports a fax that nobody confirmed with the operation id that finishes it', async () => {
    const before = await faxCount();
    const client = clientWith(losing(2), { retries: 1 });
    const error = (await failureOf(client.faxes.send(ORDER))) as UncertainError;
    expect(error).toBeInstanceOf(UncertainError);
    expect(error).toBeInstanceOf(UnreachableError);
    const { operationId } = error;
    expect(error.message).toContain(operationId);
    expect(await client.faxes.send(ORDER, { operationId })).toMatchObject({ repeated: true });
    expect(await faxCount()).toBe(before + 1);
  });

  test.each([
    [429, { 'Retry-After': '0', 'X-Error-Code': 'rate_limited' }],
    [503, { 'Retry-After': '0', 'X-Error-Code': 'too_busy' }],
    [502, {}],
  ])('is repeated after %i', async (status, headers) => {
    const fax = await clientWith(answering(1, status, headers)).faxes.send(ORDER);
    expect([fax.repeated, requests.length]).toEqual([false, 2]);
  });

  test('is not repeated while a person has to mend something, or for more than a minute', async () => {
    for (const [status, headers] of [
      [503, { 'X-Error-Code': 'database_damaged' }],
      [429, { 'X-Error-Code': 'rate_limited', 'Retry-After': '61' }],
      [400, { 'X-Error-Code': 'invalid_request' }],
    ] as const) {
      requests = [];
      const error = await failureOf(clientWith(answering(9, status, headers)).faxes.send(ORDER));
      expect(error).toBeInstanceOf(ApiError);
      expect(requests).toHaveLength(1);
    }
  });

  test('reports an address where nobody listens as such, not as uncertain', async () => {
    const client = new Faxdesk({ url: `http://127.0.0.1:${await freePort()}`, key: 'x', retries: 0 });
    const error = await failureOf(client.faxes.send(ORDER));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).not.toBeInstanceOf(UncertainError);
  });

  test('takes several files with titles, a File and bytes', async () => {
    const { faxes } = clientWith();
    const files = [
      { name: 'one.pdf', content: ONE_PAGE, title: 'One' },
      { name: 'two.txt', content: new Blob(['Two']), title: 'Two' },
    ];
    const fax = await faxes.send({ to: ORDER.to, files, urgent: true });
    expect(fax).toMatchObject({ titles: ['One', 'Two'], urgent: true });
    const file = new File(['Please call back.'], 'note.txt');
    expect(await faxes.send({ to: ORDER.to, files: file })).toMatchObject({
      document: { file_name: 'note.txt' },
    });
  });

  test('takes changes of pages and values of a cover page', async () => {
    const [cover] = ((await (await gateway.request('GET', '/covers')).json()) as { items: { id: string }[] })
      .items;
    const fax = await clientWith().faxes.send({
      ...ORDER,
      page_edits: [[{ page: 1, turn: 180 }]],
      cover: cover?.id,
      cover_fields: { note: 'As agreed' },
    });
    expect(fax.cover?.fields).toMatchObject({ note: 'As agreed' });
    expect(fax.edits).toMatchObject({ turned: 1 });
  });

  test('can be canceled and sent again', async () => {
    const { faxes } = clientWith();
    const fax = await faxes.send(ORDER);
    expect(await faxes.cancel(fax)).toMatchObject({ id: fax.id, delivery_state: 'cancelled' });
    const again = await faxes.resend(fax.id, { to: '+12025550124' });
    expect(again).toMatchObject({ resend_of: fax.id, to: '+12025550124', repeated: false });
    expect((await faxes.history(fax.id)).length).toBeGreaterThan(1);
    const pdf = await new Response(await faxes.document(fax.id)).text();
    expect(pdf.startsWith('%PDF-')).toBe(true);
  });
});

describe('errors', () => {
  test('have the sentence, the code and the id of the request', async () => {
    const error = (await failureOf(clientWith().faxes.send({ ...ORDER, to: '12' }))) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe('That fax number is incomplete or not valid.');
    expect([error.status, error.is('invalid_fax_number')]).toEqual([400, true]);
    expect(gateway.logLines.some((line) => line.includes(String(error.requestId)))).toBe(true);
  });

  test('of a body that does not fit name the field', async () => {
    const detail = [{ loc: ['body', 'read'], type: 'invalid_type', msg: 'must be true or false' }];
    const step = () => Promise.resolve(new Response(JSON.stringify({ detail }), { status: 422 }));
    const error = (await failureOf(clientWith(step).inbound.markRead('x'))) as ApiError;
    expect(error.message).toBe('"read" must be true or false.');
  });

  test('tell a gateway from something else', async () => {
    for (const response of [new Response('<html>'), new Response('<html>', { status: 404 })]) {
      const error = await failureOf(clientWith(() => Promise.resolve(response)).faxes.get('x'));
      expect(error).toBeInstanceOf(UnexpectedAnswerError);
    }
  });

  test('come in time when there is no answer, and at once when the call is aborted', async () => {
    const silent: Step = (_, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const client = clientWith(silent, { timeoutMs: 20, retries: 0 });
    expect(await failureOf(client.faxes.get('x'))).toBeInstanceOf(UnreachableError);
    const stopped = new AbortController();
    const call = failureOf(clientWith(silent).faxes.send(ORDER, { signal: stopped.signal }));
    stopped.abort(new Error('no longer needed'));
    expect(await call).toEqual(new Error('no longer needed'));
  });
});

describe('waiting', () => {
  /** As a proxy that does not pass streams. */
  const withoutEvents: Step = async (address, init) =>
    address.includes('/console/events')
      ? new Response(JSON.stringify({ detail: 'Not here.' }), { status: 404 })
      : fetch(address, init);

  test('ends with the outcome as soon as an event names the fax', async () => {
    const client = clientWith();
    const fax = await client.faxes.send(ORDER);
    const states: string[] = [];
    const seen = new Promise<void>((resolve) => {
      void client.faxes
        .wait(fax, { onChange: ({ delivery_state }) => states.push(delivery_state) })
        .then(() => resolve());
    });
    await expect.poll(() => requests.some((each) => each.includes('/console/events'))).toBe(true);
    await deliver(fax);
    await seen;
    expect([states[0], states.at(-1)]).toEqual(['ready', 'success']);
  });

  test('works by polling where streams are blocked, and reads many faxes in one request', async () => {
    const client = clientWith(withoutEvents);
    const faxes = [await client.faxes.send(ORDER), await client.faxes.send(ORDER)];
    requests = [];
    const waiting = Promise.all(faxes.map((fax) => client.faxes.wait(fax.id)));
    for (const fax of faxes) await deliver(fax, { errorId: 17, errorType: 'lineError' });
    expect((await waiting).map(({ delivery_state }) => delivery_state)).toEqual(['failed', 'failed']);
    const lists = requests.filter((each) => each.startsWith('GET /fax?'));
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.every((each) => faxes.every(({ id }) => each.includes(id)))).toBe(true);
  });

  test('ends with the reason of a signal, or after a time with the last state', async () => {
    const client = clientWith();
    const fax = await client.faxes.send(ORDER);
    const error = (await failureOf(client.faxes.wait(fax, { timeoutMs: 300 }))) as WaitTimeoutError;
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error.fax).toMatchObject({ id: fax.id, delivery_state: 'ready' });
    const stopped = new AbortController();
    const waiting = failureOf(client.faxes.wait(fax, { signal: stopped.signal }));
    stopped.abort(new Error('no longer needed'));
    expect(await waiting).toEqual(new Error('no longer needed'));
  });

  test('ends with the refusal for a fax that is not there, and not for the others', async () => {
    const client = clientWith(withoutEvents);
    const fax = await client.faxes.send(ORDER);
    const missing = failureOf(client.faxes.wait('not-there'));
    const waiting = client.faxes.wait(fax);
    expect(await missing).toMatchObject({ status: 404 });
    await deliver(fax);
    expect(await waiting).toMatchObject({ delivery_state: 'success' });
  });

  test('returns a question for a person, or waits for the answer', async () => {
    const client = clientWith();
    gateway.emulator.setFault({
      kind: 'dropped',
      accepted: true,
      method: 'POST',
      path: /\/faxes\/?$/u,
      count: 1,
    });
    const fax = await client.faxes.send(ORDER);
    const decided = client.faxes.wait(fax, { untilDecided: true });
    await gateway.processAll();
    const asked = await client.faxes.wait(fax);
    expect(asked.delivery_state).toBe('reconciliation_required');
    const json = { outcome: 'success', note: 'They have it.', delivery_version: asked.delivery_version };
    await gateway.request('POST', `/fax/${fax.id}/reconcile`, { json });
    expect(await decided).toMatchObject({ delivery_state: 'success' });
  });

  test('goes on while the gateway is away', async () => {
    let isAway = true;
    const client = clientWith((address, init) =>
      isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(address, init),
    );
    const fax = await gateway.send();
    const waiting = client.faxes.wait(fax.id);
    await deliver(fax);
    await expect.poll(() => requests.length).toBeGreaterThan(2);
    isAway = false;
    expect(await waiting).toMatchObject({ delivery_state: 'success' });
  });
});

describe('receiving', () => {
  beforeAll(async () => {
    await gateway.set({ PUBLIC_API_URL: 'https://fax.example.com' });
    for (let count = 0; count < 3; count += 1) {
      await inbound.notify(inbound.arrive({ from: `+1202555019${count}` }));
      await gateway.processAll();
    }
  });

  test('lists page after page as a program goes on', async () => {
    const client = clientWith();
    const senders: string[] = [];
    for await (const fax of client.inbound.list({ limit: 1, unread: true })) {
      senders.push(fax.fr);
      expect(requests).toHaveLength(senders.length);
    }
    expect(senders).toEqual(['+12025550192', '+12025550191', '+12025550190']);
    const [first] = await listOf(client.inbound.pages({ limit: 1 }));
    const rest = client.inbound.pages({ limit: 1 }, { cursor: String(first?.next_cursor) });
    expect((await listOf(rest)).flatMap(({ items }) => items.map(({ fr }) => fr))).toEqual(senders.slice(1));
  });

  test('streams the document, which marks it as read', async () => {
    const client = clientWith();
    const { value: fax } = await client.inbound.list({ status: ['received'] }).next();
    const id = String(fax?.id);
    const bytes = await new Response(await client.inbound.pdf(id)).bytes();
    expect(bytes.length).toBe(fax?.size_bytes);
    expect((await client.inbound.get(id)).read_at).not.toBeNull();
    expect((await client.inbound.markRead(id, false)).read_at).toBeNull();
    expect((await client.inbound.counts()).unread).toBe(3);
  });

  test('reports a document that breaks off as an error, never as its end', async () => {
    const step: Step = async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('%PDF-'));
            setTimeout(() => controller.error(new TypeError('terminated')), 10);
          },
        }),
      );
    const pdf = await clientWith(step).inbound.pdf('x');
    expect(await failureOf(listOf(pdf))).toBeInstanceOf(UnreachableError);
  });
});

test('the plugins of earlier releases work, are announced as deprecated and noted', async () => {
  const notices: DeprecationNotice[] = [];
  const client = clientWith(real, { onDeprecation: (notice) => notices.push(notice) });
  const plugins = await client.plugins.list();
  expect(plugins.find(({ id }) => id === 'cloudone')).toMatchObject({ enabled: true, configurable: true });
  expect(await client.plugins.config('cloudone')).toMatchObject({ enabled: true });
  expect(await client.plugins.configure('cloudone', { enabled: true })).toMatchObject({ enabled: true });
  expect(notices[0]).toEqual({
    method: 'GET',
    path: '/plugins',
    sunset: 'Mon, 01 Nov 2027 00:00:00 GMT',
    successor: '/admin/settings',
  });
  expect(notices).toHaveLength(3);
  const recorded = await (await gateway.request('GET', '/console/notices')).text();
  expect(recorded).toContain('"id":"plugins"');
});

test('numbers are checked before a fax is sent to them', async () => {
  expect(await clientWith().numbers.check('12')).toMatchObject({ to: null });
  expect(await clientWith().numbers.check('+1 202 555 0123')).toMatchObject({
    to: '+12025550123',
    country: 'US',
  });
});
