import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CloudtwoAccount } from '../../server/adapters/providers/cloudtwo/account.ts';
import { createCloudtwoReceiving } from '../../server/adapters/providers/cloudtwo/receiving.ts';
import type { NotificationRequest } from '../../server/features/inbound/receiving-port.ts';
import {
  type CloudtwoEmulator,
  startCloudtwoEmulator,
  type WebhookOptions,
} from '../setup/emulators/cloudtwo/index.ts';
import { testTime } from './cloudone-setup.ts';
import { projectAccount, projectKeys } from './cloudtwo-setup.ts';
import { providerErrorOf } from './contract.ts';
import { type NotificationReceiver, startNotificationReceiver } from './notification-receiver.ts';
import { receivedPdf } from './receiving-contract.ts';

const provider = createCloudtwoReceiving();
const notificationBasic = { user: 'sinch', password: 'pass:word-ü' };
let emulator: CloudtwoEmulator;
let receiver: NotificationReceiver;
let account: CloudtwoAccount;
let id: string;

beforeEach(async () => {
  receiver = await startNotificationReceiver('/cloudtwo-inbound');
  const address = new URL(receiver.url);
  address.username = encodeURIComponent(notificationBasic.user);
  address.password = encodeURIComponent(notificationBasic.password);
  const clock = { now: () => testTime };
  emulator = await startCloudtwoEmulator({ ...projectKeys, clock, incomingWebhook: address.href });
  account = { ...projectAccount(emulator.url, 'basic'), notificationBasic };
  const fax = { from: '+12025550199', to: '+12025550100', document: receivedPdf, pages: 2 };
  id = emulator.receive(fax).id;
});
afterEach(async () => {
  await emulator.close();
  await receiver.close();
});

async function notified(options: WebhookOptions = {}, faxId = id): Promise<NotificationRequest> {
  await emulator.sendCallback(faxId, options);
  return receiver.last();
}

const verdict = (request: NotificationRequest, changes: Partial<CloudtwoAccount> = {}) =>
  provider.verifyNotification({ ...account, ...changes }, request).kind;

const forms = ['application/json', 'multipart/form-data'] as const;

describe('with user and password', () => {
  test.each(forms)('a notification as %s that presents them is genuine, also again', async (contentType) => {
    const genuine = { kind: 'genuine', how: 'basic', mayUseAttachment: true };
    expect(provider.verifyNotification(account, await notified({ contentType }))).toEqual(genuine);
    expect(provider.verifyNotification(account, await notified({ contentType }))).toEqual(genuine);
  });

  test.each([
    ['none', null],
    ['another user', { user: 'other', password: notificationBasic.password }],
    ['another password', { user: notificationBasic.user, password: 'pass:word' }],
    ['neither', { user: '', password: '' }],
    ['the two in one', { user: `${notificationBasic.user}:pass`, password: 'other' }],
  ])('one with %s is refused', async (_name, credentials) => {
    expect(verdict(await notified({ credentials }))).toBe('refused');
  });

  test.each(['Bearer abc', 'Basic', 'Basic !!!', ''])('one with "%s" is refused', async (authorization) => {
    const request = await notified();
    expect(verdict({ ...request, headers: { ...request.headers, authorization } })).toBe('refused');
  });

  test('the key of the project is no password', async () => {
    const credentials = { user: projectKeys.apiKey, password: projectKeys.apiSecret };
    expect(verdict(await notified({ credentials }))).toBe('refused');
  });

  test('a notification about another project must be looked up', async () => {
    expect(verdict(await notified({ fax: { projectId: 'another' } }))).toBe('hint');
  });
});

test.each([undefined, null, { user: 'x', password: 'y' }])(
  'without user and password every notification is a hint: %o',
  async (credentials) => {
    expect(verdict(await notified({ credentials }), { notificationBasic: null })).toBe('hint');
  },
);

describe('reading a notification', () => {
  test.each([
    { contentType: 'application/json' },
    { contentType: 'application/json', faxAsText: true },
    { contentType: 'multipart/form-data' },
  ] as const)('sent as %j', async (how) => {
    const reading = provider.readNotification(await notified(how));
    if (reading.kind !== 'received' || !reading.attachment) throw new Error('there is no attachment');
    expect(reading.report).toEqual(await provider.lookUp(account, id));
    expect(reading.report).toMatchObject({
      from: '+12025550199',
      pages: 2,
      isTest: false,
      state: 'complete',
    });
    expect(await readFile(reading.attachment.path)).toEqual(receivedPdf);
  });

  test.each(forms)('as %s has no document when there is none, or none of use', async (contentType) => {
    const none = await notified({ contentType, file: null });
    expect(provider.readNotification(none)).toMatchObject({ attachment: null });
    const picture = await notified({ contentType, fileType: 'TIF' });
    expect(provider.readNotification(picture)).toMatchObject({ attachment: null });
    const empty = await notified({ contentType, file: Buffer.alloc(0) });
    expect(provider.readNotification(empty)).toMatchObject({ attachment: null });
  });

  test('takes an unknown state for one that goes on', async () => {
    for (const status of ['RECEIVED', '', null, undefined])
      expect(provider.readNotification(await notified({ fax: { status } }))).toMatchObject({
        report: { state: 'receiving', completedAt: null },
      });
    expect(provider.readNotification(await notified({ fax: { status: 'FAILURE' } }))).toMatchObject({
      report: { state: 'failed' },
    });
  });

  test('takes a time without a zone for UTC', async () => {
    const request = await notified({ fax: { completedTime: '2026-01-02T03:04:05' } });
    expect(provider.readNotification(request)).toMatchObject({
      report: { completedAt: '2026-01-02T03:04:05.000Z' },
    });
  });

  test.each(forms)('as %s leaves aside other events', async (contentType) => {
    for (const event of ['FAX_COMPLETED', 'SOMETHING_NEW'])
      expect(provider.readNotification(await notified({ contentType, event }))).toEqual({
        kind: 'other',
        event,
      });
  });

  test.each(forms)('as %s calls what is no received fax malformed', async (contentType) => {
    const malformed = { kind: 'malformed' };
    const wrong = [{ id: null }, { id: '../1' }, { id: 7 }, { direction: 'OUTBOUND' }];
    for (const fax of wrong)
      expect(provider.readNotification(await notified({ contentType, fax }))).toMatchObject(malformed);
    expect(provider.readNotification(await notified({ contentType, event: '' }))).toMatchObject(malformed);
  });

  test('calls bodies that are something else malformed', async () => {
    const asJson = await notified({ contentType: 'application/json' });
    for (const json of [
      null,
      'text',
      7,
      [],
      {},
      { event: 'INCOMING_FAX' },
      { event: 'INCOMING_FAX', fax: '{' },
    ])
      expect(provider.readNotification({ ...asJson, json })).toMatchObject({ kind: 'malformed' });
    const asForm = await notified({ contentType: 'multipart/form-data' });
    const twice = { ...asForm, fields: [...asForm.fields, ...asForm.fields] };
    expect(provider.readNotification(twice)).toMatchObject({ kind: 'malformed' });
  });
});

test.each([
  { error: { code: 404, message: 'Fax not found', status: 'NOT_FOUND' } },
  { error: { message: 'Fax not found' } },
  { type: 'https://example.com/problems/not-found', title: 'Not Found', status: 404, detail: 'No such fax.' },
  { code: '404', error: 'Not found', message: 'The resource is not found.' },
])('a fax for which the provider answers %j does not exist', async (body) => {
  emulator.setFault({ kind: 'refused', status: 404, body });
  expect(await provider.lookUp(account, id)).toBeNull();
});

test.each([
  [404, { error: { code: 403, message: 'No', status: 'PERMISSION_DENIED' } }],
  [404, { title: 'Unauthorized', status: 401 }],
  [404, { error: 'not_found' }],
  [404, {}],
  [503, { error: { code: 404, message: 'Fax not found' } }],
])('status %i with %j leaves open whether there is such a fax', async (status, body) => {
  emulator.setFault({ kind: 'refused', status, body });
  const error = await providerErrorOf(provider.lookUp(account, id));
  expect(error.certainty).not.toBe('unknown');
});

test('a document is fetched where the client of the vendor looks for it, when the documented address is unknown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudtwo-file-'));
  const path = join(folder, 'fax.pdf');
  emulator.setFault({ kind: 'refused', status: 404, path: /\/file$/u });
  await provider.fetchDocument(account, id, path, { maxBytes: 1000 });
  expect(await readFile(path)).toEqual(receivedPdf);
  await rm(folder, { recursive: true });
});

test('a webhook is sent again on its schedule until it is answered with exactly 200', async () => {
  const delivery = await emulator.sendCallback(id, { url: 'http://127.0.0.1:9/' });
  expect(delivery.attempts[0]?.status).toBeNull();
  expect((await emulator.retryCallback(delivery))?.afterMinutes).toBe(5);
  expect((await emulator.retryCallback(delivery))?.afterMinutes).toBe(10);
  expect(await emulator.retryCallback(await emulator.sendCallback(id))).toBeNull();
});

test('the address of a webhook shows no password when it is read back', async () => {
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('contentUrl', 'https://gw.example.com/a.pdf');
  form.append('callbackUrl', 'https://user:secret@gw.example.com/cloudtwo-callback');
  const authorization = `Basic ${btoa(`${projectKeys.apiKey}:${projectKeys.apiSecret}`)}`;
  const url = `${emulator.url}/v3/projects/${projectKeys.projectId}/faxes`;
  const answer = await fetch(url, { method: 'POST', body: form, headers: { authorization } });
  expect(((await answer.json()) as { callbackUrl: string }).callbackUrl).toBe(
    'https://***:***@gw.example.com/cloudtwo-callback',
  );
});
