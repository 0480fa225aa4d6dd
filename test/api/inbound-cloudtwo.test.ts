import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import {
  type CloudtwoEmulator,
  type EmulatedFax,
  startCloudtwoEmulator,
  type WebhookOptions,
} from '../setup/emulators/cloudtwo/index.ts';
import { HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { type Inbound, InboundGateway, ONE_PAGE, OWN_NUMBER, SENDER } from './inbound-setup.ts';

const PROJECT = 'project-of-this-test';
const GOOD = { user: 'sinch', password: 'correct-horse' };
const MODES = ['basic', 'look-up'] as const;

interface Outcome {
  readonly status: number;
  readonly at: 'nothing' | 'waiting' | 'received';
  readonly checkedBy?: 'basic' | 'look_up';
}
const held = { status: 200, at: 'received', checkedBy: 'basic' } as const;
const fetched = { status: 200, at: 'waiting', checkedBy: 'basic' } as const;
const found = { status: 200, at: 'waiting', checkedBy: 'look_up' } as const;
const ignored = { status: 200, at: 'nothing' } as const;
const refused = { status: 401, at: 'nothing' } as const;
const malformed = { status: 400, at: 'nothing' } as const;

type Case = readonly [
  name: string,
  options: WebhookOptions,
  expected: Record<(typeof MODES)[number], Outcome>,
];
const json = { contentType: 'application/json' } as const;
const form = { contentType: 'multipart/form-data' } as const;

const cases: Case[] = [
  ['as JSON with its document', json, { basic: held, 'look-up': found }],
  ['as JSON with its fax as text', { ...json, faxAsText: true }, { basic: held, 'look-up': found }],
  ['as JSON without its document', { ...json, file: null }, { basic: fetched, 'look-up': found }],
  ['as a form with its document', form, { basic: held, 'look-up': found }],
  ['as a form without it', { ...form, file: null }, { basic: fetched, 'look-up': found }],
  ['without user and password', { ...json, credentials: null }, { basic: refused, 'look-up': found }],
  [
    'with a wrong password',
    { ...json, credentials: { ...GOOD, password: 'wrong' } },
    { basic: refused, 'look-up': found },
  ],
  [
    'with a wrong user',
    { ...form, credentials: { ...GOOD, user: 'other' } },
    { basic: refused, 'look-up': found },
  ],
  [
    'of another project',
    { ...json, fax: { projectId: 'theirs', id: 'unknown-fax' } },
    { basic: ignored, 'look-up': ignored },
  ],
  [
    'with an id that the project does not know',
    { ...json, fax: { id: '01UNKNOWN' }, credentials: null },
    { basic: refused, 'look-up': ignored },
  ],
  [
    'with another sender',
    { ...json, fax: { from: '+12025550111' }, credentials: null },
    { basic: refused, 'look-up': ignored },
  ],
  ['of a sent fax that ended', { ...json, event: 'FAX_COMPLETED' }, { basic: ignored, 'look-up': ignored }],
  ['without an event', { ...json, event: '' }, { basic: malformed, 'look-up': malformed }],
  [
    'with an attachment that is no PDF',
    { ...json, file: Buffer.from('not a fax') },
    { basic: fetched, 'look-up': found },
  ],
  [
    'with half of a PDF',
    { ...form, file: ONE_PAGE.subarray(0, ONE_PAGE.length / 2) },
    { basic: fetched, 'look-up': found },
  ],
];

describe.each(MODES)('a cloudtwo notification, checked by %s,', (mode) => {
  const clock = new ManualClock();
  let emulator: CloudtwoEmulator;
  let inbound: InboundGateway;
  let known: Set<string>;
  beforeAll(async () => {
    emulator = await startCloudtwoEmulator({ projectId: PROJECT, apiKey: 'key', apiSecret: 'secret', clock });
    const settings = {
      INBOUND_POLLING: 'off',
      CLOUDTWO_PROJECT_ID: PROJECT,
      CLOUDTWO_API_KEY: 'key',
      CLOUDTWO_API_SECRET: 'secret',
      CLOUDTWO_API_URL: emulator.url,
      ...(mode === 'basic'
        ? { CLOUDTWO_INBOUND_BASIC_USER: GOOD.user, CLOUDTWO_INBOUND_BASIC_PASS: GOOD.password }
        : {}),
    };
    inbound = await InboundGateway.start({ settings, clock });
  });
  beforeEach(async () => {
    clock.advance(HOUR);
    known = new Set((await inbound.list('?limit=200')).map(({ id }) => id));
  });
  afterAll(async () => {
    await inbound.close();
    await emulator.close();
  });

  const arrive = () => emulator.receive({ from: SENDER, to: OWN_NUMBER, document: ONE_PAGE });
  const fresh = async (): Promise<Inbound[]> =>
    (await inbound.list('?limit=200')).filter(({ id }) => !known.has(id));
  async function notify(fax: EmulatedFax, options: WebhookOptions = {}): Promise<number> {
    const url = `${inbound.gateway.url}/cloudtwo-inbound`;
    const delivery = await emulator.sendCallback(fax.id, { url, credentials: GOOD, ...options });
    return delivery.attempts.at(-1)?.status ?? 0;
  }

  test.each(cases)('%s is recorded as far as it is true', async (...row) => {
    const [, options, { [mode]: expected }] = row;
    const fax = arrive();
    expect(await notify(fax, options)).toBe(expected.status);
    const [recorded, ...others] = await fresh();
    expect(others).toEqual([]);
    expect(recorded?.status ?? 'nothing').toBe(expected.at);
    expect(await inbound.inWork()).toEqual([]);
    if (!recorded) return;
    expect(recorded).toMatchObject({
      backend: 'cloudtwo',
      provider_fax_id: fax.id,
      provider_account: `cloudtwo:${PROJECT}`,
      fr: SENDER,
      to: OWN_NUMBER,
    });
    const [first] = await inbound.evidence(recorded.id);
    expect(first?.checked_by).toBe(expected.checkedBy);
    const copy = JSON.stringify(first?.notification);
    expect(Buffer.byteLength(copy)).toBeLessThanOrEqual(8192);
    expect(copy).not.toContain(ONE_PAGE.subarray(0, 30).toString('base64').slice(0, 30));
    await inbound.work();
    expect(await fresh()).toMatchObject([{ id: recorded.id, status: 'received', conflicts: 0, pages: 1 }]);
  });

  test('refused for its credentials gets a challenge for them, and is counted', async () => {
    if (mode !== 'basic') return;
    const body = JSON.stringify({ event: 'INCOMING_FAX', fax: { id: '1' } });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${inbound.gateway.url}/cloudtwo-inbound`, { method: 'POST', headers, body });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Faxdesk", charset="UTF-8"');
    const status = await inbound.gateway.request('GET', '/console/status');
    expect(((await status.json()) as { report_problems: unknown[] }).report_problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ backend: 'cloudtwo', problem: 'no_credentials' }),
        expect.objectContaining({ backend: 'cloudtwo', problem: 'wrong_credentials' }),
      ]),
    );
  });

  test('replayed is the same fax, and with another document a conflict only where it proves itself', async () => {
    const fax = arrive();
    await notify(fax);
    await inbound.work();
    await notify(fax);
    await notify(fax, { file: textPdf(3) });
    await inbound.work();
    expect(await fresh()).toMatchObject([
      { status: 'received', pages: 1, conflicts: mode === 'basic' ? 1 : 0 },
    ]);
  });

  test('of a fax that failed, or has more pages than came, says that pages may be missing', async () => {
    if (mode !== 'basic') return;
    await notify(arrive(), { fax: { status: 'FAILURE' } });
    await notify(arrive(), { fax: { numberOfPages: 4 } });
    expect(
      (await fresh()).map(({ problem }) => problem).toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual([
      'Pages may be missing: Sinch counted 4 pages, but only 1 arrived.',
      'Pages may be missing: the call ended after 1 page.',
    ]);
  });

  test('with lists in lists by the thousand is recorded without them', async () => {
    const { id } = arrive();
    const more = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const answer = await fetch(`${inbound.gateway.url}/cloudtwo-inbound`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`${GOOD.user}:${GOOD.password}`).toString('base64')}`,
      },
      body: `{"event":"INCOMING_FAX","fax":{"id":"${id}","status":"COMPLETED"},"more":${more}}`,
    });
    expect(answer.status).toBe(200);
    const [recorded] = await fresh();
    const [first] = await inbound.evidence(recorded?.id ?? '');
    expect(JSON.stringify(first?.notification)).toContain('left out');
  });

  test('of more than 50 MB, cut off, or no JSON is refused', async () => {
    const url = `${inbound.gateway.url}/cloudtwo-inbound`;
    const authorization = `Basic ${Buffer.from(`${GOOD.user}:${GOOD.password}`).toString('base64')}`;
    const post = async (body: string) => {
      const headers = { 'content-type': 'application/json', authorization };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect(await post(`{"event":"INCOMING_FAX","file":"${'A'.repeat(72 * 1024 * 1024)}"}`)).toBe(413);
    expect(await post('{"event":"INCOMING_FAX","fax":{"id":"1')).toBe(400);
    expect(await post(`{"event":"INCOMING_FAX","fax":{"id":"1","from":"${'1'.repeat(2 ** 20)}"}}`)).toBe(413);
    expect(await post('{"event":"INCOMING_FAX","file":"AAAA","fax":{"id":"1"},"file":"BBBB"}')).toBe(400);
    expect(await inbound.inWork()).toEqual([]);
    expect(await post('[]')).toBe(400);
    expect(await post('{"event":"INCOMING_FAX","fax":{}}')).toBe(400);
    expect(await fresh()).toEqual([]);
  });

  test('and the list of the project make one fax', async () => {
    const fax = arrive();
    await notify(fax, { file: null });
    await inbound.gateway.set({ INBOUND_POLLING: 'on' });
    for (let i = 0; i < 3; i += 1) {
      clock.advance(MINUTE);
      await inbound.work();
    }
    await inbound.gateway.set({ INBOUND_POLLING: 'off' });
    const mine = (await fresh()).filter(({ provider_fax_id }) => provider_fax_id === fax.id);
    expect(mine).toMatchObject([{ status: 'received', conflicts: 0 }]);
  });
});
