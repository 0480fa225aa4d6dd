import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EmulatedFax, WebhookOptions } from '../setup/emulators/cloudone/index.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { fileRequests, type Inbound, InboundGateway, ONE_PAGE, PUBLIC_URL } from './inbound-setup.ts';

const SHA = createHash('sha256').update(ONE_PAGE).digest('hex');
const LAYOUTS = ['v1', 'v2', 'v2-brackets', 'v2.1'] as const;
const MODES = ['signature', 'look-up'] as const;

/** Result of a notification: its answer, and what is recorded at once and after the jobs ran. */
interface Outcome {
  readonly status: number;
  readonly at: 'nothing' | 'waiting' | 'received';
  readonly checkedBy?: 'signature' | 'look_up';
}

const OK = 200;
const held = { status: OK, at: 'received', checkedBy: 'signature' } as const;
const fetched = { status: OK, at: 'waiting', checkedBy: 'signature' } as const;
const found = { status: OK, at: 'waiting', checkedBy: 'look_up' } as const;
const ignored = { status: OK, at: 'nothing' } as const;
const refused = { status: 401, at: 'nothing' } as const;

type Case = readonly [
  name: string,
  options: WebhookOptions,
  expected: Record<(typeof MODES)[number], Outcome>,
];

const genuine: Case[] = LAYOUTS.flatMap((layout): Case[] => [
  [`genuine in ${layout} with its document`, { layout }, { signature: held, 'look-up': found }],
  [`genuine in ${layout} without it`, { layout, file: null }, { signature: fetched, 'look-up': found }],
]);

const forged: Case[] = [
  ...(['address', 'field', 'file', 'signature', 'uppercase'] as const).map(
    (tamper): Case => [`with a wrong ${tamper}`, { tamper }, { signature: refused, 'look-up': found }],
  ),
  ['without a signature', { signed: false }, { signature: refused, 'look-up': found }],
  ['of another account', { callbackToken: 'theirs' }, { signature: refused, 'look-up': found }],
  [
    'signed for a forwarded address',
    { signedUrl: `${PUBLIC_URL}/cloudone-inbound/` },
    { signature: refused, 'look-up': found },
  ],
];

const strange: Case[] = [
  [
    'with an id that the account does not know',
    { fax: { id: 9_999_999 }, signed: false },
    { signature: refused, 'look-up': ignored },
  ],
  [
    'with another sender',
    { fax: { from_number: '+12025550111' }, signed: false },
    { signature: refused, 'look-up': ignored },
  ],
  [
    'with another receiver',
    { fax: { to_number: '+12025550111' }, signed: false },
    { signature: refused, 'look-up': ignored },
  ],
  [
    'with an id that names another address',
    { fax: { id: '../account/status' }, signed: false },
    { signature: refused, 'look-up': { status: 400, at: 'nothing' } },
  ],
  [
    'with an address of a document',
    { extraFields: [['file_url', 'http://127.0.0.1:9/secret.pdf']], file: null },
    { signature: fetched, 'look-up': found },
  ],
  [
    'with repeated names',
    {
      extraFields: [
        ['note', 'z'],
        ['note', 'a'],
        ['direction', 'received'],
      ],
    },
    { signature: held, 'look-up': found },
  ],
  [
    'of two directions',
    { extraFields: [['direction', 'sent']] },
    { signature: { status: 400, at: 'nothing' }, 'look-up': { status: 400, at: 'nothing' } },
  ],
  ['of a page that passed', { event: 'transmitting_page' }, { signature: ignored, 'look-up': ignored }],
  ['of a sent fax', { fax: { direction: 'sent' } }, { signature: ignored, 'look-up': ignored }],
  [
    'with an attachment that is no PDF',
    { file: Buffer.from('<html>not a fax</html>') },
    { signature: fetched, 'look-up': found },
  ],
  [
    'with a truncated PDF',
    { file: ONE_PAGE.subarray(0, ONE_PAGE.length / 2) },
    { signature: fetched, 'look-up': found },
  ],
];

describe.each(MODES)('a cloudone notification, checked by %s,', (mode) => {
  let inbound: InboundGateway;
  let known: Set<string>;
  beforeAll(async () => {
    const checks = {
      INBOUND_POLLING: 'off',
      CLOUDONE_INBOUND_VERIFY_SIGNATURE: String(mode === 'signature'),
    };
    inbound = await InboundGateway.start({ settings: checks });
  });
  beforeEach(async () => {
    inbound.gateway.clock.advance(HOUR);
    known = new Set((await inbound.list('?limit=200')).map(({ id }) => id));
  });
  afterAll(() => inbound.close());

  const fresh = async (): Promise<Inbound[]> =>
    (await inbound.list('?limit=200')).filter(({ id }) => !known.has(id));

  async function expectRecorded(fax: EmulatedFax, { at, checkedBy }: Outcome): Promise<void> {
    const [recorded, ...others] = await fresh();
    expect(others).toEqual([]);
    expect(recorded?.status ?? 'nothing').toBe(at);
    if (!recorded) return;
    expect(recorded.provider_fax_id).toBe(String(fax.id));
    expect((await inbound.evidence(recorded.id))[0]?.checked_by).toBe(checkedBy);
    const before = fileRequests(inbound.gateway);
    await inbound.work();
    expect(fileRequests(inbound.gateway) - before).toBe(at === 'waiting' ? 1 : 0);
    expect(await fresh()).toMatchObject([{ id: recorded.id, status: 'received', sha256: SHA, conflicts: 0 }]);
  }

  test.each([...genuine, ...forged, ...strange])('%s is recorded as far as it is true', async (...row) => {
    const [, options, expected] = row;
    const fax = inbound.arrive();
    const { status } = await inbound.notify(fax, options);
    expect(status).toBe(expected[mode].status);
    await expectRecorded(fax, expected[mode]);
    expect(await inbound.inWork()).toEqual([]);
  });

  test('replayed later is the same fax and changes nothing', async () => {
    const fax = inbound.arrive();
    await inbound.notify(fax);
    await inbound.work();
    const [first] = await fresh();
    inbound.gateway.clock.advance(HOUR);
    expect((await inbound.notify(fax)).status).toBe(OK);
    await inbound.work();
    expect(await fresh()).toEqual([first]);
  });

  test.each(LAYOUTS)('cut off in the middle in %s is not read', async (layout) => {
    const fax = inbound.arrive();
    const whole = await inbound.gateway.emulator.sendCallback(String(fax.id), {
      url: 'http://127.0.0.1:9/',
      layout,
    });
    const { body, headers } = whole.webhook;
    const cut = body.subarray(0, Math.floor(body.length / 2));
    const url = `${inbound.gateway.url}/cloudone-inbound`;
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(cut) });
    expect([400, 401]).toContain(answer.status);
    expect(await fresh()).toEqual([]);
  });

  test('of more than 50 MB is refused', async () => {
    const huge = Buffer.concat([ONE_PAGE, Buffer.alloc(51 * 1024 * 1024)]);
    const url = `${inbound.gateway.url}/cloudone-inbound`;
    const form = new FormData();
    form.append('file', new Blob([huge]), 'fax.pdf');
    const headers = { 'x-phaxio-signature': 'a'.repeat(40) };
    const answer = await fetch(url, { method: 'POST', headers, body: form });
    expect(answer.status).toBe(413);
    expect(await fresh()).toEqual([]);
    expect(await inbound.inWork()).toEqual([]);
  });

  test.each([
    ['application/json', '{"fax":{}}'],
    ['text/plain', 'fax'],
    ['application/x-www-form-urlencoded', 'fax=%7B'],
  ])('as %s is not taken for one', async (type, body) => {
    const url = `${inbound.gateway.url}/cloudone-inbound`;
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
    expect([400, 401]).toContain(answer.status);
    expect(await fresh()).toEqual([]);
  });

  test('is answered 404 while receiving is off', async () => {
    await inbound.gateway.set({ INBOUND_ENABLED: false });
    try {
      expect((await inbound.notify(inbound.arrive())).status).toBe(404);
      const test_ = await inbound.gateway.request('POST', '/inbound/test');
      expect([test_.status, test_.headers.get('X-Error-Code'), await test_.json()]).toEqual([
        404,
        'receiving_off',
        { detail: 'Receiving is off. Turn it on first.' },
      ]);
    } finally {
      await inbound.gateway.set({ INBOUND_ENABLED: true });
    }
    expect(await fresh()).toEqual([]);
  });
});

describe('a notification', () => {
  test('is refused while no callback token is set', async () => {
    const inbound = await InboundGateway.start({ settings: { CLOUDONE_CALLBACK_TOKEN: '' } });
    expect((await inbound.notify(inbound.arrive())).status).toBe(401);
    expect(await inbound.list()).toEqual([]);
    await inbound.close();
  });

  test('that must be looked up is answered 503 while the provider does not answer, and 60 in a minute are enough', async () => {
    const inbound = await InboundGateway.start({ settings: { CLOUDONE_INBOUND_VERIFY_SIGNATURE: 'false' } });
    const fax = inbound.arrive();
    inbound.gateway.emulator.setFault({ kind: 'server-error', status: 503 });
    expect((await inbound.notify(fax)).status).toBe(503);
    inbound.gateway.emulator.setFault({ kind: 'dropped' });
    expect((await inbound.notify(fax)).status).toBe(503);
    expect(await inbound.list()).toEqual([]);
    for (let i = 2; i < 60; i += 1) expect((await inbound.notifyBare(fax)).status).toBe(200);
    const refusedOne = await inbound.notifyBare(inbound.arrive());
    expect(refusedOne.status).toBe(429);
    expect(await inbound.list()).toHaveLength(1);
    inbound.gateway.clock.advance(60_000);
    expect((await inbound.notifyBare(inbound.arrive())).status).toBe(200);
    await inbound.close();
  });
});
