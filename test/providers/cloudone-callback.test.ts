import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCallback, verifyCallback } from '../../server/adapters/providers/cloudone/callback.ts';
import { signatureHeaders, verifySignature } from '../../server/adapters/providers/cloudone/signature.ts';
import type { CallbackForm } from '../../server/features/outbound/transport-port.ts';
import { vendorSignature } from '../setup/emulators/cloudone/index.ts';
import { type CallbackReceiver, startCallbackReceiver } from './callback-receiver.ts';
import { type CloudoneSetup, startCloudoneSetup, testAccount, testKeys, testPdf } from './cloudone-setup.ts';

const token = testKeys.callbackToken;
const url = 'https://gw.example.com/cloudone-callback?job_id=j1&attempt_id=a1';
const form = (fields: CallbackForm['fields'], files: CallbackForm['files'] = []): CallbackForm => ({
  fields,
  files,
});

describe('the signature of a callback', () => {
  test('matches the published vector', () => {
    const published = form([['test', 'true']]);
    const signature = '64a735ef0c47a0ae671e381c046648f0966deb29';
    expect(verifySignature(token, 'example.com', published, signature)).toBe(true);
  });

  const status = form([
    ['fax[status]', 'success'],
    ['fax[id]', '123456'],
    ['fax[num_pages]', '2'],
  ]);
  const statusSignature = 'f14693db941090a803aaa592da96073810d852ce';

  test('matches a status callback, whatever the order of its fields', () => {
    expect(verifySignature(token, url, status, statusSignature)).toBe(true);
    expect(verifySignature(token, url, form([...status.fields].reverse()), statusSignature)).toBe(true);
  });

  const received = form(
    [
      ['direction', 'received'],
      [
        'fax',
        '{"id":123456,"direction":"received","num_pages":1,"status":"success","from_number":"+12025550199","to_number":"+12025550100","completed_at":"2026-01-02T03:04:05.000Z"}',
      ],
      ['is_test', 'false'],
      ['success', 'true'],
    ],
    [['file', '95607b02d48a786cb786897d727114fc79814b1e']],
  );
  const receivedSignature = '39077670353153cdc880c2de35d4f87256614abc';
  const inboundUrl = 'https://gw.example.com/cloudone-inbound';

  test('matches a received fax with its file', () => {
    expect(verifySignature(token, inboundUrl, received, receivedSignature)).toBe(true);
  });

  test('is refused when any byte of address, fields, file, token or signature differs', () => {
    const refused = (t: string, u: string, f: CallbackForm, s: string) =>
      expect(verifySignature(t, u, f, s)).toBe(false);
    refused(token, `${inboundUrl}/`, received, receivedSignature);
    refused(token, inboundUrl.replace('https', 'http'), received, receivedSignature);
    refused(token, inboundUrl, form(received.fields, []), receivedSignature);
    refused(token, inboundUrl, form(received.fields, [['file', `${'0'.repeat(39)}1`]]), receivedSignature);
    refused(
      token,
      inboundUrl,
      form(received.fields, [['filename', received.files[0]?.[1] ?? '']]),
      receivedSignature,
    );
    refused(token, inboundUrl, form([...received.fields, ['x', '']], received.files), receivedSignature);
    refused(token, inboundUrl, form(received.fields.slice(1), received.files), receivedSignature);
    refused(`${token}x`, inboundUrl, received, receivedSignature);
    refused('', inboundUrl, received, receivedSignature);
    refused(token, inboundUrl, received, receivedSignature.toUpperCase());
    refused(token, inboundUrl, received, receivedSignature.slice(0, 39));
    refused(token, inboundUrl, received, ` ${receivedSignature}`);
    refused(token, inboundUrl, received, '');
    for (let digit = 0; digit < 40; digit += 1) {
      const other = receivedSignature[digit] === '0' ? '1' : '0';
      const changed = receivedSignature.slice(0, digit) + other + receivedSignature.slice(digit + 1);
      refused(token, inboundUrl, received, changed);
    }
  });

  test('keeps the order of repeated names on the wire', () => {
    const fields: CallbackForm['fields'] = [
      ['b', '2'],
      ['a', 'z'],
      ['b', '1'],
      ['a', 'y'],
    ];
    const signature = vendorSignature(token, url, fields, []);
    expect(verifySignature(token, url, form(fields), signature)).toBe(true);
    expect(verifySignature(token, url, form([...fields].reverse()), signature)).toBe(false);
    const files: CallbackForm['files'] = [
      ['file', 'a'.repeat(40)],
      ['file', 'b'.repeat(40)],
    ];
    const signed = vendorSignature(token, url, [], files);
    expect(verifySignature(token, url, form([], files), signed)).toBe(true);
    expect(verifySignature(token, url, form([], [...files].reverse()), signed)).toBe(false);
  });

  test('is over decoded UTF-8 values', () => {
    const fields: CallbackForm['fields'] = [['message', 'Zürich — ファクス 📠']];
    const signature = vendorSignature(token, url, fields, []);
    expect(verifySignature(token, url, form(fields), signature)).toBe(true);
  });
});

describe('a callback and the account that a fax captured', () => {
  const fields: CallbackForm['fields'] = [['success', 'true']];
  const signature = vendorSignature(token, url, fields, []);
  const header = (name: string) => (name === signatureHeaders[0] ? signature : undefined);
  const callback = { url, form: form(fields), header };
  const account = testAccount('https://api.example.com');

  test('is accepted with the token and the address of the attempt', () => {
    expect(verifyCallback(account, callback)).toBe(true);
    expect(verifyCallback(account, { ...callback, url: `${url}&more=1` })).toBe(false);
    expect(verifyCallback(account, { ...callback, header: () => undefined })).toBe(false);
  });

  test('is refused without a token, and while verification is switched off', () => {
    expect(verifyCallback({ ...account, callbackToken: null }, callback)).toBe(false);
    expect(verifyCallback({ ...account, verifySignature: false }, callback)).toBe(false);
  });
});

describe('a callback as the provider sends it', () => {
  let setup: CloudoneSetup;
  let receiver: CallbackReceiver;
  beforeEach(async () => {
    setup = await startCloudoneSetup();
    receiver = await startCallbackReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await setup.close();
  });

  async function submitted(): Promise<string> {
    const request = { ...setup.request, callbackUrl: receiver.url };
    return (await setup.provider().submit(setup.account, request)).reference;
  }

  const verified = () => {
    const { form, signature } = receiver.last();
    return verifySignature(token, receiver.url, form, signature);
  };

  test.each(['v1', 'v2', 'v2-brackets', 'v2.1'] as const)(
    'is verified and read in layout %s',
    async (layout) => {
      const id = await submitted();
      setup.emulator.complete(id, { pages: 2 });
      await setup.emulator.sendCallback(id, { layout });
      expect(verified()).toBe(true);
      const reading = readCallback(receiver.last().form);
      expect(reading).toEqual({
        kind: 'report',
        report: await setup.provider().fetchReport(setup.account, id),
      });
      setup.emulator.complete(id, { errorId: 17, pages: 1, cost: 7 });
      await setup.emulator.sendCallback(id, { layout });
      const failed = readCallback(receiver.last().form);
      expect(failed).toMatchObject({
        report: { outcome: 'failed', failure: 'The line was busy.', failureCode: 'lineError 17' },
      });
      expect(failed).toEqual({
        kind: 'report',
        report: await setup.provider().fetchReport(setup.account, id),
      });
    },
  );

  test.each(['address', 'field', 'file', 'signature', 'uppercase'] as const)(
    'is refused when its %s was changed',
    async (tamper) => {
      const fax = setup.emulator.receive({ from: '+12025550199', to: '+12025550100', document: testPdf });
      await setup.emulator.sendCallback(String(fax.id), { url: receiver.url });
      expect(verified()).toBe(true);
      await setup.emulator.sendCallback(String(fax.id), { url: receiver.url, tamper });
      expect(verified()).toBe(false);
    },
  );

  test('is refused without a signature or with another token', async () => {
    const id = await submitted();
    await setup.emulator.sendCallback(id, { signed: false });
    expect(receiver.last().signature).toBe('');
    expect(verified()).toBe(false);
    await setup.emulator.sendCallback(id, { callbackToken: testKeys.apiSecret });
    expect(verified()).toBe(false);
  });

  test('is signed in both headers on request', async () => {
    const id = await submitted();
    await setup.emulator.sendCallback(id, { cloudoneHeader: true });
    const { headers } = receiver.last();
    const [first, second] = signatureHeaders.map((name) => headers[name]);
    expect(first).toMatch(/^[0-9a-f]{40}$/u);
    expect(second).toBe(first);
  });

  test.each(['transmitting_page', 'retry_scheduled'] as const)('%s is not an outcome', async (event) => {
    const id = await submitted();
    setup.emulator.complete(id, { pages: 2 });
    await setup.emulator.sendCallback(id, { event });
    expect(readCallback(receiver.last().form)).toEqual({ kind: 'inflight', providerId: id, event });
  });

  test('is tried again only until it is received', async () => {
    const id = await submitted();
    receiver.answerWith(503);
    const delivery = await setup.emulator.sendCallback(id);
    expect(await setup.emulator.retryCallback(delivery)).toMatchObject({
      afterMinutes: 5,
      attempt: { status: 503 },
    });
    receiver.answerWith(200);
    expect(await setup.emulator.retryCallback(delivery)).toMatchObject({
      afterMinutes: 10,
      attempt: { status: 200 },
    });
    expect(await setup.emulator.retryCallback(delivery)).toBeNull();
    expect(receiver.count()).toBe(3);
  });
});

describe('a callback that cannot be read', () => {
  test.each<[string, CallbackForm['fields']]>([
    ['nothing', []],
    ['text that is not JSON', [['fax', '{"id":1']]],
    ['a list', [['fax', '[]']]],
    ['no id', [['fax', '{"status":"success"}']]],
    ['no status', [['fax', '{"id":1}']]],
    ['an id that is no number', [['fax', '{"id":"../1","status":"success"}']]],
    [
      'two ids',
      [
        ['fax[id]', '1'],
        ['fax[id]', '2'],
        ['fax[status]', 'success'],
      ],
    ],
    [
      'two faxes',
      [
        ['fax', '{"id":1,"status":"success"}'],
        ['fax', '{"id":2,"status":"success"}'],
      ],
    ],
    [
      'two directions',
      [
        ['direction', 'received'],
        ['fax', '{"id":1,"status":"success","direction":"sent"}'],
      ],
    ],
  ])('%s', (_name, fields) => {
    expect(readCallback({ fields, files: [] }).kind).toBe('unreadable');
  });
});

test('the oldest layout with epoch seconds is read', () => {
  const fax = {
    id: 7,
    status: 'success',
    direction: 'sent',
    num_pages: 1,
    completed_at: 1_767_323_045,
    cost: '7',
    recipients: [{ number: '+12025550123' }],
  };
  expect(readCallback({ fields: [['fax', JSON.stringify(fax)]], files: [] })).toMatchObject({
    kind: 'report',
    report: {
      reference: '7',
      completedAt: '2026-01-02T03:04:05.000Z',
      to: '+12025550123',
      cost: { amount: '0.07' },
    },
  });
});
