import { afterEach, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../shared/api/audit.ts';
import {
  ApiError,
  createClient,
  UnexpectedAnswerError,
  UnreachableError,
} from '../../shared/client/index.ts';
import { type AnswerHandler, answerJson, faxAnswer, startAnsweringServer } from '../cli/answering-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function startServer(answering: AnswerHandler) {
  const server = await startAnsweringServer(answering);
  closing.push(server.close);
  return {
    ...server,
    client: createClient({ baseUrl: `${server.url}/`, apiKey: 'key-1', csrfToken: 'token-1' }),
  };
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe('The client', () => {
  it('fills in the address, sends the key, and the CSRF token only with what changes something', async () => {
    const { client, asked } = await startServer((_, response) => answerJson(response, 200, faxAnswer()));
    await client.outbound.getFax({ params: { id: '../a b?' } });
    await client.outbound.releaseFax({ params: { id: 'x' }, body: { delivery_version: 3 } });
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /fax/..%2Fa%20b%3F',
      'POST /fax/x/release',
    ]);
    expect(asked[0]?.headers).toMatchObject({ 'x-api-key': 'key-1' });
    expect(asked[0]?.headers).not.toHaveProperty('x-csrf-token');
    expect(asked[1]?.headers).toMatchObject({
      'x-csrf-token': 'token-1',
      'content-type': 'application/json',
    });
    expect(asked[1]?.body).toBe('{"delivery_version":3}');
  });

  it('leaves out what a query does not say', async () => {
    const page = { items: [faxAnswer()], next_cursor: null };
    const { client, asked } = await startServer((_, response) => answerJson(response, 200, page));
    expect(await client.outbound.listFaxes()).toEqual(page);
    await client.outbound.listFaxes({ query: { limit: 5, to: '+1 2', state: undefined } });
    expect(asked.map(({ url }) => url)).toEqual(['/fax', '/fax?limit=5&to=%2B1+2']);
  });

  it('sends a form with its fields before its files', async () => {
    const { client, asked } = await startServer((_, response) => answerJson(response, 202, faxAnswer()));
    const content = new Blob(['the letter']);
    await client.outbound.sendFax({
      fields: { to: '+12025550123', urgent: 'true' },
      files: { file: [{ name: 'a.txt', content }] },
      headers: { 'Idempotency-Key': 'k' },
    });
    const { body = '', headers } = asked[0] ?? {};
    expect(headers).toMatchObject({ 'idempotency-key': 'k' });
    expect(body.indexOf('name="urgent"')).toBeLessThan(body.indexOf('filename="a.txt"'));
    expect(body).toContain('the letter');
  });

  it('answers bytes where a route does', async () => {
    const { client } = await startServer((_, response) => response.end('%PDF'));
    const bytes = await client.outbound.faxDocument({ params: { id: 'x' } });
    expect(new TextDecoder().decode(bytes)).toBe('%PDF');
  });

  it('hands bytes on as they come, before the last of them was sent', async () => {
    let finish = (): unknown => undefined;
    const { client } = await startServer((_, response) => {
      finish = () => response.end('second\n');
      response.write('first\n');
    });
    const read: string[] = [];
    for await (const piece of client.stream(auditRoutes.exportAudit, {})) {
      read.push(new TextDecoder().decode(piece));
      if (read.length === 1) finish();
    }
    expect(read).toEqual(['first\n', 'second\n']);
  });
});

describe('A refusal', () => {
  it('carries its code and sentence, when to come again, and the request it was', async () => {
    const { client } = await startServer((_, response) =>
      answerJson(response, 429, { detail: 'Wait.' }, { 'Retry-After': '7', 'X-Error-Code': 'rate_limited' }),
    );
    const error = (await failure(client.access.me())) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect([error.is('rate_limited'), error.is('stale', 'not_allowed')]).toEqual([true, false]);
    expect(error).toMatchObject({ status: 429, detail: 'Wait.', retryAfter: 7, requestId: 'request-1' });
    expect(await failure(client.stream(auditRoutes.exportAudit, {}).next())).toEqual(error);
  });

  it('of a body names its places, and of a gateway that is not ready its problems', async () => {
    const { client } = await startServer((asked, response) =>
      asked.url === '/health/ready'
        ? answerJson(
            response,
            503,
            { status: 'not ready', problems: ['No disk.', 'No store.'], warnings: [] },
            { 'X-Error-Code': 'not_ready' },
          )
        : answerJson(
            response,
            422,
            { detail: [{ loc: ['changes', 'X'], type: 'value', msg: 'must be text' }] },
            { 'X-Error-Code': 'invalid_settings' },
          ),
    );
    expect(await failure(client.system.ready())).toMatchObject({ detail: 'No disk. No store.' });
    expect(await failure(client.settings.write({ body: {} }))).toMatchObject({
      detail: '"changes.X" must be text.',
    });
  });
});

describe('A fault', () => {
  it('of the connection is reported as such, whether before the answer or in the middle of it', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:9' });
    expect(await failure(nobody.system.health())).toBeInstanceOf(UnreachableError);
    const dropped = await startServer((_, response) => response.destroy());
    expect(await failure(dropped.client.system.health())).toBeInstanceOf(UnreachableError);
    const cut = await startServer((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('{"status"', () => response.destroy());
    });
    expect(await failure(cut.client.system.health())).toBeInstanceOf(UnreachableError);
    const reading = cut.client.stream(auditRoutes.exportAudit, {});
    expect(await failure(reading.next().then(() => reading.next()))).toBeInstanceOf(UnreachableError);
  });

  it('of the answer is reported as such: another shape, no JSON, another program', async () => {
    const other = await startServer((_, response) =>
      answerJson(response, 200, faxAnswer({ delivery_version: 0 })),
    );
    const error = await failure(other.client.outbound.getFax({ params: { id: 'x' } }));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({
      message: expect.stringContaining('delivery_version'),
      requestId: 'request-1',
    });
    const page = await startServer((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'));
    expect(await failure(page.client.system.health())).toBeInstanceOf(UnexpectedAnswerError);
    const success = await startServer((_, response) => response.writeHead(200).end('<html>Welcome</html>'));
    expect(await failure(success.client.system.health())).toBeInstanceOf(UnexpectedAnswerError);
  });

  it('takes the key nowhere else: a redirect is not followed', async () => {
    const other = await startServer((_, response) => answerJson(response, 200, { status: 'ok' }));
    const first = await startServer((_, response) => response.writeHead(302, { Location: other.url }).end());
    expect(await failure(first.client.system.health())).toBeInstanceOf(UnreachableError);
    expect(other.asked).toEqual([]);
  });

  it('by the caller stays an abort', async () => {
    const { client } = await startServer(() => undefined);
    const signal = AbortSignal.timeout(50);
    expect(await failure(client.system.health({ signal }))).toMatchObject({ name: 'TimeoutError' });
  });
});
