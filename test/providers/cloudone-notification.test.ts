import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CloudoneAccount } from '../../server/adapters/providers/cloudone/account.ts';
import { createCloudoneReceiving } from '../../server/adapters/providers/cloudone/receiving.ts';
import type { NotificationRequest } from '../../server/features/inbound/receiving-port.ts';
import {
  type CloudoneEmulator,
  startCloudoneEmulator,
  type WebhookOptions,
} from '../setup/emulators/cloudone/index.ts';
import { testAccount, testKeys, testTime } from './cloudone-setup.ts';
import { type NotificationReceiver, startNotificationReceiver } from './notification-receiver.ts';
import { receivedPdf } from './receiving-contract.ts';

const provider = createCloudoneReceiving();
let emulator: CloudoneEmulator;
let receiver: NotificationReceiver;
let account: CloudoneAccount;
let id: string;

beforeEach(async () => {
  receiver = await startNotificationReceiver('/cloudone-inbound');
  emulator = await startCloudoneEmulator({
    ...testKeys,
    clock: { now: () => testTime },
    accountWebhook: receiver.url,
  });
  account = testAccount(emulator.url);
  const fax = { from: '+12025550199', to: '+12025550100', document: receivedPdf, pages: 2 };
  id = String(emulator.receive(fax).id);
});
afterEach(async () => {
  await emulator.close();
  await receiver.close();
});

async function notified(options: WebhookOptions = {}, faxId = id): Promise<NotificationRequest> {
  await emulator.sendCallback(faxId, options);
  return receiver.last();
}

const verdict = (request: NotificationRequest, changes: Partial<CloudoneAccount> = {}) =>
  provider.verifyNotification({ ...account, ...changes }, request).kind;

describe('a notification that must be signed', () => {
  const layouts = ['v1', 'v2', 'v2-brackets', 'v2.1'] as const;

  test.each(layouts)('is genuine in layout %s, with and without its document', async (layout) => {
    const genuine = { kind: 'genuine', how: 'signature', mayUseAttachment: true };
    expect(provider.verifyNotification(account, await notified({ layout }))).toEqual(genuine);
    expect(provider.verifyNotification(account, await notified({ layout, file: null }))).toEqual(genuine);
  });

  test('is genuine by either name of the header, and when it comes again', async () => {
    const request = await notified();
    const { 'x-phaxio-signature': signature, ...headers } = request.headers;
    expect(verdict({ ...request, headers: { ...headers, 'x-cloudone-signature': signature } })).toBe(
      'genuine',
    );
    expect(verdict(await notified())).toBe('genuine');
  });

  test.each([
    ['a signature over another address', { tamper: 'address' }],
    ['a changed field', { tamper: 'field' }],
    ['a changed document', { tamper: 'file' }],
    ['a changed signature', { tamper: 'signature' }],
    ['a signature in capitals', { tamper: 'uppercase' }],
    ['no signature', { signed: false }],
    ['the signature of another token', { callbackToken: 'another-token' }],
    ['the API secret for a token', { callbackToken: testKeys.apiSecret }],
  ] as const)('is refused with %s', async (_name, options) => {
    expect(verdict(await notified(options))).toBe('refused');
  });

  test('is refused when a field or a file was added or taken away', async () => {
    const request = await notified();
    expect(verdict({ ...request, fields: [...request.fields, ['x', '']] })).toBe('refused');
    expect(verdict({ ...request, fields: request.fields.slice(1) })).toBe('refused');
    expect(verdict({ ...request, files: [] })).toBe('refused');
    expect(verdict({ ...request, files: [...request.files, ...request.files] })).toBe('refused');
  });

  test('is refused while no callback token is set', async () => {
    const request = await notified();
    expect(verdict(request, { callbackToken: null })).toBe('refused');
    expect(verdict(request, { callbackToken: '' })).toBe('refused');
  });

  test('is refused at another address, even when a header names the signed one', async () => {
    const request = await notified();
    const headers = { ...request.headers, 'x-forwarded-host': new URL(request.url).host };
    expect(verdict({ ...request, headers, url: 'https://gw.example.com/cloudone-inbound' })).toBe('refused');
  });
});

test.each([{}, { signed: false }, { tamper: 'signature' }, { tamper: 'file' }] as const)(
  'a notification that need not be signed is a hint, whatever it bears: %o',
  async (options) => {
    expect(verdict(await notified(options), { verifyNotifications: false })).toBe('hint');
  },
);

describe('reading a notification', () => {
  test.each(['v1', 'v2', 'v2-brackets', 'v2.1'] as const)('in layout %s', async (layout) => {
    const reading = provider.readNotification(await notified({ layout }));
    expect(reading).toMatchObject({ kind: 'received', attachment: { path: expect.any(String) as string } });
    if (reading.kind !== 'received' || !reading.attachment || !('path' in reading.attachment)) return;
    expect(reading.report).toEqual(await provider.lookUp(account, id));
    expect(reading.report).toMatchObject({ from: '+12025550199', to: '+12025550100', pages: 2 });
    expect(await readFile(reading.attachment.path)).toEqual(receivedPdf);
  });

  test('recognizes a test fax, wherever that is said', async () => {
    const fax = emulator.receive({ from: null, to: null, document: receivedPdf, isTest: true });
    for (const layout of ['v1', 'v2', 'v2-brackets', 'v2.1'] as const)
      expect(provider.readNotification(await notified({ layout }, String(fax.id)))).toMatchObject({
        report: { isTest: true, from: null, to: null },
      });
    const saidOnce = await notified({ fax: { is_test: undefined } }, String(fax.id));
    expect(provider.readNotification(saidOnce)).toMatchObject({ report: { isTest: true } });
    expect(provider.readNotification(await notified())).toMatchObject({ report: { isTest: false } });
  });

  test('recognizes a fax that failed or is still being received', async () => {
    const failed = await notified({ fax: { status: 'failure' } });
    expect(provider.readNotification(failed)).toMatchObject({ report: { state: 'failed' } });
    const strange = await notified({ fax: { status: 'on_the_moon' } });
    expect(provider.readNotification(strange)).toMatchObject({
      report: { state: 'receiving', completedAt: null, rawStatus: 'on_the_moon' },
    });
  });

  test('has no document when there is none, an empty one or two', async () => {
    expect(provider.readNotification(await notified({ file: null }))).toMatchObject({ attachment: null });
    const empty = await notified({ file: Buffer.alloc(0) });
    expect(provider.readNotification(empty)).toMatchObject({ attachment: null });
    const request = await notified();
    const two = { ...request, files: [...request.files, ...request.files] };
    expect(provider.readNotification(two)).toMatchObject({ attachment: null });
  });

  test('leaves aside what is no received fax', async () => {
    const sent = await notified({ fax: { direction: 'sent' } });
    expect(provider.readNotification(sent)).toEqual({ kind: 'other', event: 'fax_completed' });
    const inflight = await notified({ event: 'transmitting_page' });
    expect(provider.readNotification(inflight)).toEqual({ kind: 'other', event: 'transmitting_page' });
  });

  test.each<[string, (request: NotificationRequest) => NotificationRequest]>([
    ['no fax', (request) => ({ ...request, fields: [['direction', 'received']] })],
    ['a fax that is no JSON', (request) => ({ ...request, fields: [['fax', '{"id":12']] })],
    ['a fax without an id', (request) => ({ ...request, fields: [['fax', '{"status":"success"}']] })],
    [
      'an id that is none',
      (request) => ({ ...request, fields: [['fax', '{"id":"../1","status":"success"}']] }),
    ],
    [
      'a fax with two descriptions',
      (request) => ({
        ...request,
        fields: [...request.fields, ['fax', '{"id":7,"direction":"received","status":"success"}']],
      }),
    ],
    ['JSON', (request) => ({ ...request, contentType: 'json', json: {}, fields: [] })],
  ])('calls %s malformed', async (_name, change) => {
    expect(provider.readNotification(change(await notified()))).toMatchObject({ kind: 'malformed' });
  });

  test('calls two directions malformed', async () => {
    const request = await notified({ extraFields: [] });
    const fields = request.fields.map(([name, value]) =>
      name === 'direction' ? ([name, 'sent'] as const) : ([name, value] as const),
    );
    expect(provider.readNotification({ ...request, fields })).toMatchObject({ kind: 'malformed' });
  });
});
