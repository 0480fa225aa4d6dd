import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCallback } from '../../server/adapters/providers/cloudone/callback.ts';
import { verifySignature } from '../../server/adapters/providers/cloudone/signature.ts';
import { type CloudoneEmulator, startCloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { type CallbackReceiver, startCallbackReceiver } from './callback-receiver.ts';
import { testKeys, testPdf } from './cloudone-setup.ts';

let emulator: CloudoneEmulator;
let receiver: CallbackReceiver;
beforeEach(async () => {
  receiver = await startCallbackReceiver();
  emulator = await startCloudoneEmulator({ ...testKeys, accountWebhook: receiver.url });
});
afterEach(async () => {
  await emulator.close();
  await receiver.close();
});

function form(fields: Record<string, string>, fileName?: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (fileName !== undefined) form.append('file', new Blob([new Uint8Array(testPdf)]), fileName);
  return form;
}

const emulatorKeys = { api_key: `test-${testKeys.apiKey}`, api_secret: `test-${testKeys.apiSecret}` };
const liveKeys = { api_key: testKeys.apiKey, api_secret: testKeys.apiSecret };

test('a test fax is received and called back with its document', async () => {
  const fields = { ...emulatorKeys, direction: 'received', to_number: '+12025550100' };
  const answer = await fetch(`${emulator.url}/faxes`, { method: 'POST', body: form(fields, 'fax.pdf') });
  expect(answer.status).toBe(200);
  await emulator.settled();
  const { form: received, signature } = receiver.last();
  expect(received.files.map(([name]) => name)).toEqual(['file']);
  expect(verifySignature(testKeys.callbackToken, receiver.url, received, signature)).toBe(true);
  expect(readCallback(received)).toMatchObject({
    kind: 'report',
    report: { direction: 'received', to: '+12025550100', outcome: 'success' },
  });
});

test.each([
  ['no receiver', { content_url: 'https://gw.example.com/a.pdf' }],
  ['a receiver that is no number', { to: '12025550123', content_url: 'https://gw.example.com/a.pdf' }],
  ['no document', { to: '+12025550123' }],
  [
    'a long header line',
    { to: '+12025550123', content_url: 'https://gw.example.com/a.pdf', header_text: 'x'.repeat(51) },
  ],
  [
    'a simulated failure for a live fax',
    { to: '+12025550123', content_url: 'https://x.example/', test_fail: 'lineError' },
  ],
])('a fax with %s is refused with 422', async (_name, fields) => {
  const answer = await fetch(`${emulator.url}/faxes`, {
    method: 'POST',
    body: form({ ...liveKeys, ...fields }),
  });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ success: false, message: expect.any(String) });
  expect(emulator.counts.accepted).toBe(0);
});

test('every answer bears the headers of the vendor', async () => {
  const answer = await fetch(`${emulator.url}/public/countries`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'max-age=0, private, must-revalidate',
    'x-request-id': expect.any(String),
    etag: expect.any(String),
    'x-total': '3',
  });
});

test('a held answer goes when it is released', async () => {
  emulator.setFault({ kind: 'slow' });
  const answer = fetch(`${emulator.url}/faxes`, {
    method: 'POST',
    body: form({ ...liveKeys, to: '+12025550123', content_url: 'https://gw.example.com/a.pdf' }),
  });
  await emulator.waitUntilHeld();
  expect(emulator.counts.accepted).toBe(1);
  emulator.release();
  expect((await answer).status).toBe(200);
});

test('it comes back on the same port', async () => {
  const { url } = emulator;
  await emulator.refuseConnections();
  await expect(fetch(`${url}/public/countries`)).rejects.toThrow();
  await emulator.acceptConnections();
  expect(emulator.url).toBe(url);
  expect((await fetch(`${url}/public/countries`)).status).toBe(200);
});
