import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { ONE_PAGE } from './inbound-setup.ts';

// The requests of the Node client of earlier releases, as it puts them on the wire.

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const KEY = { 'X-API-Key': INSTALLATION_KEY };
const LINE = '--------------------------517033467913042680234109';
/** Headers that the client's library adds. */
const ACCEPT = { Accept: 'application/json, text/plain, */*', 'User-Agent': 'axios/1.7.2' };

interface EarlierAnswer {
  readonly status: number | undefined;
  readonly body: Record<string, unknown>;
}

/** Sends the parts of a body as a stream without a length, as that client does with a file. */
async function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  parts: readonly (string | Buffer)[] = [],
): Promise<EarlierAnswer> {
  const sent = request(`${gateway.url}${path}`, { method, headers: { ...ACCEPT, ...headers } });
  for (const part of parts) sent.write(part);
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode,
    body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
  };
}

/** `sendFax(to, filePath, { operationId })` of that client. */
function sendFax(
  to: string,
  operationId: string,
  headers: Record<string, string> = KEY,
): Promise<EarlierAnswer> {
  return call(
    'POST',
    '/fax',
    { ...headers, 'Content-Type': `multipart/form-data; boundary=${LINE}`, 'Idempotency-Key': operationId },
    [
      `--${LINE}\r\nContent-Disposition: form-data; name="to"\r\n\r\n${to}\r\n`,
      `--${LINE}\r\nContent-Disposition: form-data; name="file"; filename="letter.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
      ONE_PAGE,
      `\r\n--${LINE}--\r\n`,
    ],
  );
}

test('rule (api): the client of earlier releases sends a fax once and reads its state', async () => {
  const sent = await sendFax('+12025550123', '4f7c3b7a-9a77-4c61-9c33-2f6f3f0c4b11');
  expect([sent.status, sent.body['status'], sent.body['to']]).toEqual([202, 'queued', '+12025550123']);
  const again = await sendFax('+12025550123', '4f7c3b7a-9a77-4c61-9c33-2f6f3f0c4b11');
  expect([again.status, again.body['id']]).toEqual([202, sent.body['id']]);
  const read = await call('GET', `/fax/${String(sent.body['id'])}`, KEY);
  expect([read.status, read.body['id'], read.body['status'], read.body['error']]).toEqual([
    200,
    sent.body['id'],
    'queued',
    null,
  ]);
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(String(sent.body['id']));
  gateway.emulator.complete(String(provider_sid));
  await gateway.request('POST', `/fax/${String(sent.body['id'])}/refresh`);
  expect((await call('GET', `/fax/${String(sent.body['id'])}`, KEY)).body['status']).toBe('SUCCESS');
});

test('the client of earlier releases gets the statuses and the sentence that it reports', async () => {
  const wrong = await sendFax('12', 'operation-2');
  expect([wrong.status, typeof wrong.body['detail']]).toEqual([400, 'string']);
  expect((await sendFax('+12025550124', '4f7c3b7a-9a77-4c61-9c33-2f6f3f0c4b11')).status).toBe(409);
  expect((await sendFax('+12025550123', 'operation-3', {})).status).toBe(401);
  expect((await call('GET', '/fax/not-there', KEY)).status).toBe(404);
  expect(await call('GET', '/health')).toEqual({ status: 200, body: { status: 'ok' } });
});

test('the plugins of the client of earlier releases are listed, read and changed', async () => {
  const listed = await call('GET', '/plugins', KEY);
  expect(listed.status).toBe(200);
  expect(listed.body['items']).toContainEqual(expect.objectContaining({ id: 'cloudone', enabled: true }));
  const config = await call('GET', '/plugins/cloudone/config', KEY);
  expect([config.status, config.body['enabled'], typeof config.body['settings']]).toEqual([
    200,
    true,
    'object',
  ]);
  const json = { ...KEY, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ settings: {}, enabled: true });
  expect(await call('PUT', '/plugins/cloudone/config', json, [body])).toEqual(config);
});

test('a change of a plugin names its role and the revision it was made for', async () => {
  const json = { ...KEY, 'Content-Type': 'application/json' };
  const put = async (id: string, body: object) =>
    (await call('PUT', `/plugins/${id}/config`, json, [JSON.stringify(body)])).status;
  const settingOf = async (name: string) => {
    const { settings } = (await call('GET', '/admin/settings', KEY)).body as {
      settings: { name: string; value: unknown }[];
    };
    return settings.find((setting) => setting.name === name)?.value;
  };
  const revision = async () => (await call('GET', '/auth/context', KEY)).body['active_revision_id'];
  const first = await revision();
  const backend = await settingOf('FAX_BACKEND');
  await gateway.set({ INBOUND_ENABLED: true });
  await gateway.set({ INBOUND_ENABLED: false });
  expect(await put('cloudtwo', { enabled: true, role: 'inbound', expected_revision_id: first })).toBe(409);
  expect(await settingOf('INBOUND_ENABLED')).toBe(false);
  const present = { settings: {}, expected_revision_id: await revision() };
  expect(await put('cloudtwo', { ...present, enabled: true, role: 'inbound' })).toBe(200);
  expect([await settingOf('INBOUND_ENABLED'), await settingOf('FAX_BACKEND')]).toEqual([true, backend]);
  expect(await put('cloudtwo', { enabled: false, role: 'inbound', expected_revision_id: null })).toBe(200);
  expect(await settingOf('INBOUND_ENABLED')).toBe(true);
  expect(await put('cloudone', { enabled: true, role: 'outbound' })).toBe(200);
  expect(await settingOf('FAX_BACKEND')).toBe('cloudone');
  expect(await put('cloudone', { enabled: true, role: 'storage' })).toBe(422);
});
