import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { RawConnection } from '../setup/raw-connection.ts';
import { COMPLETE_FORM, END, FORM, headOf, LARGE_FILE, RawCaller, TO } from '../setup/raw-form.ts';

let gateway: TestGateway;
let raw: RawCaller;
beforeAll(async () => {
  gateway = await startTestGateway();
  raw = new RawCaller(gateway);
});
afterAll(() => gateway.close());
afterEach(() => raw.close());

const lineOf = (id: string | null) => gateway.logLines.filter((line) => line.includes(String(id)));

/** Runs `work` while the table of the faxes is away, as after a damage of the file. */
async function withoutFaxes(work: () => Promise<void>): Promise<void> {
  const file = new BetterSqlite(join(gateway.dataFolder, 'faxdesk.sqlite'));
  file.exec(
    'PRAGMA busy_timeout = 5000; PRAGMA legacy_alter_table = ON; ALTER TABLE fax_job RENAME TO fax_job_away',
  );
  try {
    await work();
  } finally {
    file.exec('ALTER TABLE fax_job_away RENAME TO fax_job');
    file.close();
  }
}

describe('the request id', () => {
  test.each(['abc', 'A-1_b.c:d', 'x'.repeat(64)])('"%s" of the caller comes back', async (given) => {
    const response = await gateway.request('GET', '/health', {
      key: null,
      headers: { 'X-Request-Id': given },
    });
    expect(response.headers.get('x-request-id')).toBe(given);
  });

  test.each(['', 'with space', 'x'.repeat(65), 'a"b', '<b>', 'a,b', 'ü'])(
    '"%s" is replaced by one of the gateway',
    async (given) => {
      const response = await gateway.request('GET', '/health', {
        key: null,
        headers: { 'X-Request-Id': given },
      });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/u);
    },
  );

  test('is made anew for every request and stands in its log line', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await gateway.request('GET', '/fax')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
    for (const id of ids)
      await expect.poll(() => lineOf(id).join(''), { interval: 10 }).toContain('"route":"/fax","status":200');
  });
});

describe('the headers of an answer', () => {
  test('are private, unsniffable and unframed, whatever is answered', async () => {
    const { id } = await gateway.send();
    const asked: [string, string, number, string | null | undefined][] = [
      ['GET', '/health', 200, null],
      ['GET', '/health/ready', 200, null],
      ['GET', '/docs', 200, null],
      ['GET', '/docs/swagger-ui.css', 200, null],
      ['GET', '/', 302, null],
      ['GET', '/fax', 401, null],
      ['GET', '/fax', 200, undefined],
      ['GET', `/fax/${id}/document`, 200, undefined],
      ['GET', `/fax/${id}/report`, 200, undefined],
      ['GET', '/metrics', 200, undefined],
      ['GET', '/fax?limit=x', 400, undefined],
      ['GET', '/nothing', 404, undefined],
      ['DELETE', '/health', 405, undefined],
      ['OPTIONS', '/health', 204, null],
      ['POST', '/auth/login', 415, null],
    ];
    for (const [method, path, status, key] of asked) {
      const form = status === 415 ? ('x' as never) : undefined;
      const response = await gateway.request(method, path, { form, ...(key === null ? { key } : {}) });
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, status]);
      expectPrivate(response);
    }
  });

  test('are the same on an error of the gateway', async () => {
    await withoutFaxes(async () => {
      const response = await gateway.request('GET', '/fax');
      expect(response.status).toBe(500);
      expectPrivate(response);
    });
  });

  function expectPrivate(response: Response): void {
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-request-id': expect.stringMatching(/.+/u),
    });
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(headers['content-security-policy']).toContain(part);
    for (const absent of ['last-modified', 'x-powered-by', 'server'])
      expect([absent, headers[absent]]).toEqual([absent, undefined]);
    // Only documents have a tag: the digest of their bytes.
    if (headers['accept-ranges'] === undefined) expect(headers['etag']).toBeUndefined();
    else expect(headers['etag']).toMatch(/^"[\da-f]{64}"$/u);
  }

  test('say that an old route will end, and what follows it', async () => {
    const response = await gateway.request('POST', '/admin/settings/persist');
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect(response.headers.get('deprecation')).toBe('true');
    expect(new Date(response.headers.get('sunset') ?? '').toISOString()).toBe('2027-04-01T00:00:00.000Z');
    expect(response.headers.get('link')).toBe('</admin/settings>; rel="successor-version"');
    const settings = await gateway.request('GET', '/admin/settings');
    // An answer of this length breaks the connection where it is not read to its end.
    await settings.arrayBuffer();
    expect(settings.headers.get('deprecation')).toBeNull();
  });
});

describe('an error of the gateway itself', () => {
  test('is one sentence with the request id, under which the log has the cause', async () => {
    await withoutFaxes(async () => {
      const response = await gateway.request('GET', '/fax', { headers: { 'X-Request-Id': 'broken-1' } });
      expect([response.status, await response.json()]).toEqual([
        500,
        { detail: 'Something went wrong; the log has the details under broken-1.' },
      ]);
    });
    const line = lineOf('broken-1')
      .map((text) => JSON.parse(text))
      .find(({ level }) => level === 'error');
    expect(line).toMatchObject({
      request_id: 'broken-1',
      method: 'GET',
      route: '/fax',
      logger: 'gateway:http',
      error: { message: expect.stringContaining('fax_job') },
    });
    expect((await gateway.request('GET', '/fax')).status).toBe(200);
  });

  test('while a fax is submitted leaves no file and no fax', async () => {
    const before = await raw.faxCount();
    await withoutFaxes(async () => {
      expect([500, 503]).toContain((await raw.post(COMPLETE_FORM)).status);
      await raw.expectWorkFiles(0);
    });
    expect(await raw.faxCount()).toBe(before);
  });

  test('with bytes that cannot be opened is answered as JSON', async () => {
    const { id } = await gateway.send();
    await rm(join(gateway.dataFolder, 'files'), { recursive: true });
    const response = await gateway.request('GET', `/fax/${id}/document`);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(await response.json()).toEqual({ detail: expect.stringMatching(/^[A-Z].*\.$/u) });
  });
});

describe('what is no request', () => {
  test.each([
    ['no HTTP at all', 'hello there\r\n\r\n', 400],
    ['a header of 32 KB', `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(32_768)}\r\n\r\n`, 431],
    ['two lengths', 'POST /fax HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ])('%s is refused in a sentence', async (_name, bytes, status) => {
    const connection = await RawConnection.open(gateway.url);
    await connection.send(bytes);
    const answer = await connection.answer();
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.stringMatching(/^[A-Z].*\.$/u) });
    const code = status === 431 ? 'headers_too_long' : 'unreadable_request';
    expect(answer.headers['x-error-code']).toBe(code);
    connection.close();
    expect((await gateway.request('GET', '/health', { key: null })).status).toBe(200);
  });
});

test.each(['/health', '/auth/me', '/docs', '/docs/start.js', '/admin/ui/', '/nothing'])(
  'TRACE of %s gives nothing back',
  async (path) => {
    const connection = await raw.open();
    await connection.send(`TRACE ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: not-to-be-echoed\r\n\r\n`);
    const { status, body } = await connection.answer();
    expect([404, 405]).toContain(status);
    expect(body).not.toContain('not-to-be-echoed');
  },
);

test('a key opens the figures as a bearer token, as Prometheus sends it', async () => {
  const keyWith = async (name: string, scopes: string[]): Promise<string> => {
    const made = await gateway.request('POST', '/admin/api-keys', { json: { name, scopes } });
    return ((await made.json()) as { token: string }).token;
  };
  const key = await keyWith('Prometheus', ['diagnostics:read']);
  const statusOf = async (path: string, Authorization: string) =>
    (await gateway.request('GET', path, { key: null, headers: { Authorization } })).status;
  expect(await statusOf('/metrics', `Bearer ${key}`)).toBe(200);
  expect(await statusOf('/metrics', `bearer ${key}`)).toBe(200);
  expect(await statusOf('/metrics', `Bearer ${await keyWith('Scanner', ['fax:send'])}`)).toBe(403);
  for (const wrong of [`Bearer ${key}x`, `Basic ${key}`, key, 'Bearer'])
    expect([wrong, await statusOf('/metrics', wrong)]).toEqual([wrong, 401]);
  expect(await statusOf('/console/status', `Bearer ${key}`)).toBe(200);
});

describe('the connection', () => {
  test('stays open after every kind of refusal', async () => {
    const connection = await raw.open();
    const ask = async (head: string, body = '') => {
      await connection.send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
      return (await connection.answer()).status;
    };
    const key = `X-API-Key: ${INSTALLATION_KEY}\r\n`;
    expect([
      await ask('GET /fax HTTP/1.1\r\nHost: x\r\n'),
      await ask('GET /nothing HTTP/1.1\r\nHost: x\r\n'),
      await ask('DELETE /health HTTP/1.1\r\nHost: x\r\n'),
      await ask(`POST /fax HTTP/1.1\r\nHost: x\r\n${key}Content-Type: text/plain\r\n`, 'x'),
      await ask(`POST /admin/api-keys HTTP/1.1\r\nHost: x\r\n${key}Content-Type: application/json\r\n`, '{'),
      await ask(`POST /admin/api-keys HTTP/1.1\r\nHost: x\r\n${key}Content-Type: application/json\r\n`, '[]'),
      await ask('GET /health HTTP/1.1\r\nHost: x\r\n', 'a body nobody asked for'),
      await ask('GET /health HTTP/1.1\r\nHost: x\r\n'),
    ]).toEqual([401, 404, 405, 415, 400, 422, 200, 200]);
  });

  test('takes many requests at once and answers them in order', async () => {
    const connection = await raw.open();
    await connection.send(
      'GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20),
    );
    for (let one = 0; one < 20; one += 1)
      expect([(await connection.answer()).status, (await connection.answer()).status]).toEqual([200, 404]);
  });

  test.each([
    'NONSENSE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /health HTTP/1.1\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(40_000)}\r\n\r\n`,
  ])('that does not speak HTTP is closed', async (text) => {
    const connection = await raw.open();
    await connection.send(text);
    expect([400, 431, 505]).toContain((await connection.answer()).status);
    await connection.closed();
    expect((await gateway.request('GET', '/health')).status).toBe(200);
  });

  test('that only waits is closed when the gateway stops, and an answer under way is finished', async () => {
    const own = await startTestGateway();
    // A stop waits three seconds at most, so the process of documents is started beforehand.
    await own.send();
    const caller = new RawCaller(own);
    const idle = await caller.open();
    await idle.send('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.answer();
    const fresh = await caller.open();
    const busy = await caller.open();
    const form = `${TO}${LARGE_FILE}${END}`;
    await busy.send(headOf({ ...FORM, 'Content-Length': String(form.length) }));
    await busy.send(form.slice(0, -200));
    await caller.expectWorkFiles(1);
    const stopped = own.stop();
    await Promise.all([idle.closed(), fresh.closed()]);
    expect(busy.isClosed).toBe(false);
    await busy.send(form.slice(-200));
    expect((await busy.answer()).status).toBe(202);
    await stopped;
    caller.close();
    await own.emulator.close();
    await rm(own.dataFolder, { recursive: true, force: true });
  });
});
