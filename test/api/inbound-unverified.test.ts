import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RawAnswer, RawConnection } from '../setup/raw-connection.ts';
import { FORM, MEGABYTE, part } from '../setup/raw-form.ts';
import { fileRequests, InboundGateway, ONE_PAGE } from './inbound-setup.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Of the right form, and of nobody. */
const SIGNED = { 'X-Phaxio-Signature': 'a'.repeat(40) };
const BASIC = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });

let inbound: InboundGateway;
beforeAll(async () => {
  const settings = {
    INBOUND_POLLING: 'off',
    CLOUDTWO_PROJECT_ID: 'project',
    CLOUDTWO_API_KEY: 'key',
    CLOUDTWO_API_SECRET: 'secret',
    CLOUDTWO_INBOUND_BASIC_USER: 'user',
    CLOUDTWO_INBOUND_BASIC_PASS: 'password',
  };
  inbound = await InboundGateway.start({ settings });
});
afterAll(() => inbound.close());
const lines: RawConnection[] = [];
afterEach(() => {
  for (const line of lines.splice(0)) line.close();
});

/** Announces a body of 40 MB and sends only what is given. */
async function begin(
  path: string,
  headers: Record<string, string>,
  start = '',
  { gateway } = inbound,
): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.url);
  lines.push(connection);
  const all = { Host: '127.0.0.1', ...FORM, 'Content-Length': String(40 * MEGABYTE), ...headers };
  const named = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  await connection.send([`POST ${path} HTTP/1.1`, ...named, '', start].join('\r\n'));
  return connection;
}

/** Of what is still held. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

const codeOf = ({ status, headers }: RawAnswer) => [status, headers['x-error-code']];
const bigFile = (megabytes: number) =>
  part('name="file"; filename="a.pdf"', '%PDF-1.4 '.padEnd(megabytes * MEGABYTE, 'x')).slice(0, -2);

describe('nothing is read of', () => {
  test.each([
    ['/cloudone-inbound', {}],
    ['/cloudone-inbound', { 'X-Phaxio-Signature': '' }],
    ['/cloudone-inbound', { 'X-Phaxio-Signature': 'A'.repeat(40) }],
    ['/cloudone-inbound', { 'X-Phaxio-Signature': 'a'.repeat(39) }],
    ['/cloudone-inbound', JSON_TYPE],
    ['/cloudtwo-inbound', {}],
    ['/cloudtwo-inbound', BASIC('user:wrong')],
    ['/cloudtwo-inbound', { Authorization: 'Bearer user:password' }],
  ])('a notification at %s with %j', async (path, headers) => {
    const connection = await begin(path, headers);
    expect(codeOf(await connection.answer())).toEqual([401, 'invalid_credential']);
    await connection.closed();
  });

  test('a callback without a signature, or about a fax that is not there', async () => {
    const { id } = await inbound.gateway.send();
    await inbound.gateway.processAll();
    const attempt = (await inbound.gateway.fax(id)).attempt?.id;
    const path = `/cloudone-callback?job_id=${id}&attempt_id=${attempt}`;
    for (const [at, headers] of [
      [path, {}],
      [path, { 'X-Phaxio-Signature': 'A'.repeat(40) }],
      [`/cloudone-callback?job_id=${id}&attempt_id=${id}`, SIGNED],
    ] as const)
      expect(codeOf(await (await begin(at, headers)).answer())).toEqual([401, 'invalid_credential']);
    const connection = await begin(path, SIGNED);
    connection.close();
    expect(connection.isAnswered).toBe(false);
  });

  test('a notification of a provider that is not set up', async () => {
    const other = await InboundGateway.start();
    const connection = await begin('/cloudtwo-inbound', BASIC('user:password'), '', other);
    expect(codeOf(await connection.answer())).toEqual([401, 'invalid_credential']);
    await other.close();
  });
});

describe('before it is verified', () => {
  test('nothing of a notification reaches the disk, however large it is', async () => {
    const files = [];
    for (let i = 0; i < 3; i += 1) files.push(begin('/cloudone-inbound', SIGNED, bigFile(12)));
    const base64 = `{"file":"${'A'.repeat(12 * MEGABYTE)}`;
    files.push(begin('/cloudone-inbound', { ...SIGNED, ...JSON_TYPE }, base64));
    // More than the buffers of the system hold, so the gateway has read of each.
    for (const connection of await Promise.all(files)) expect(connection.isAnswered).toBe(false);
    expect(await inbound.inWork()).toEqual([]);
  });

  test.each([
    ['multipart', FORM, part('name="a"', 'x'.repeat(300 * 1024)) + part('name="b"', ''), 413],
    ['JSON', JSON_TYPE, `{"a":"${'x'.repeat(300 * 1024)}"`, 413],
  ])('at most 256 KB of fields are taken as %s', async (_name, type, start, status) => {
    expect((await (await begin('/cloudone-inbound', { ...SIGNED, ...type }, start)).answer()).status).toBe(
      status,
    );
  });

  test.each([
    ['multipart', '/cloudone-inbound', { ...SIGNED, ...FORM }, part('name="a"', '').slice(0, -2)],
    ['JSON', '/cloudtwo-inbound', { ...BASIC('user:password'), ...JSON_TYPE }, '{"a":"'],
  ])(
    'a body that comes as %s in pieces of one byte takes no more memory than it has bytes',
    async (_name, path, headers, start) => {
      const connection = await RawConnection.open(inbound.gateway.url);
      lines.push(connection);
      const all = Object.entries({ Host: '127.0.0.1', 'Transfer-Encoding': 'chunked', ...headers });
      const named = all.map(([name, value]) => `${name}: ${value}`);
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      await connection.send([`POST ${path} HTTP/1.1`, ...named, '', chunk(start)].join('\r\n'));
      const before = usedBytes();
      for (let sent = 0; sent < 20; sent += 1) await connection.send(chunk('x').repeat(10_000));
      // More than the buffers of the system hold, so the gateway has read nearly all of it.
      expect(usedBytes() - before).toBeLessThan(10 * MEGABYTE);
      expect(connection.isAnswered).toBe(false);
    },
  );

  test('the one that is longest under way makes room for the others', async () => {
    const start = part('name="file"; filename="a"', 'x'.repeat(2 * MEGABYTE)).slice(0, -2);
    const first = await begin('/cloudone-inbound', SIGNED, start);
    const rest = [];
    for (let i = 0; i < 16; i += 1) rest.push(await begin('/cloudone-inbound', SIGNED, start));
    const answer = await first.answer();
    expect([...codeOf(answer), answer.headers['retry-after']]).toEqual([503, 'too_busy', '60']);
    await first.closed();
    const fax = inbound.arrive();
    expect((await inbound.notify(fax)).status).toBe(200);
    expect(rest.at(-1)?.isAnswered).toBe(false);
  });

  test('of one address at most 32 are read at once, and one that has been a second under way makes room', async () => {
    const first = await begin('/cloudone-inbound', SIGNED, part('name="a"', 'b'));
    for (let i = 1; i < 32; i += 1) await begin('/cloudone-inbound', SIGNED, part('name="a"', 'b'));
    await inbound.gateway.request('GET', '/health');
    const refused = await (await begin('/cloudone-inbound', SIGNED)).answer();
    expect(codeOf(refused)).toEqual([503, 'too_busy']);
    expect(first.isAnswered).toBe(false);
    inbound.gateway.clock.advance(1000);
    expect((await inbound.notify(inbound.arrive())).status).toBe(200);
    expect(codeOf(await first.answer())).toEqual([503, 'too_busy']);
  });

  test.each([
    ['multipart', FORM, part('name="a"', 'b')],
    ['JSON', JSON_TYPE, '{"a":'],
  ])('a slow one is ended as %s after two minutes', async (_name, type, start) => {
    const connection = await begin('/cloudone-inbound', { ...SIGNED, ...type }, start);
    await inbound.gateway.request('GET', '/health');
    inbound.gateway.clock.advance(120_000);
    await inbound.work();
    expect(connection.isAnswered).toBe(false);
    inbound.gateway.clock.advance(1);
    await inbound.work();
    expect(codeOf(await connection.answer())).toEqual([408, 'request_timeout']);
    await connection.closed();
  });
});

test('a document that is too large to be kept before it is verified is fetched', async () => {
  const document = Buffer.concat([
    ONE_PAGE,
    Buffer.from(`\n%${'x'.repeat(MEGABYTE)}\n`),
    ONE_PAGE.subarray(-6),
  ]);
  const fax = inbound.arrive({ document });
  const before = fileRequests(inbound.gateway);
  expect((await inbound.notify(fax)).status).toBe(200);
  const recorded = (await inbound.list()).find((each) => each.provider_fax_id === String(fax.id));
  expect(recorded?.status).toBe('waiting');
  expect((await inbound.evidence(recorded?.id ?? ''))[0]?.checked_by).toBe('signature');
  await inbound.work();
  expect(fileRequests(inbound.gateway) - before).toBe(1);
  const sha256 = createHash('sha256').update(document).digest('hex');
  expect((await inbound.list()).find(({ id }) => id === recorded?.id)).toMatchObject({
    status: 'received',
    sha256,
  });
});
