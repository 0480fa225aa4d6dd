import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { keyWith } from './console-stream.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const OWN = '+12025550100';
const KNOWN = '+13125550140';
const NEW = '+14155550171';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off', FAX_NUMBER: OWN },
  });
  await reach(KNOWN);
});
afterAll(() => gateway.close());

async function request(method: string, path: string, json?: unknown, key?: string): Promise<[number, Body]> {
  const answer = await gateway.request(method, path, { json, ...(key !== undefined && { key }) });
  return [answer.status, await answer.json()];
}

async function contact(fields: object): Promise<Body> {
  const [status, made] = await request('POST', '/contacts', fields);
  expect(status, JSON.stringify(made)).toBe(201);
  return made;
}

/** Sends a fax of its own text to the number and completes it. */
async function reach(to: string, errorId?: number): Promise<Fax> {
  const answer = await gateway.sendForm({ to }, [
    textFile(`to ${to} at ${gateway.clock.now()}`, 'letter.txt'),
  ]);
  const { id } = (await answer.json()) as Fax;
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  gateway.emulator.complete(String(provider_sid), errorId === undefined ? {} : { errorId });
  gateway.clock.advance(5 * MINUTE);
  await gateway.processAll();
  return gateway.fax(id);
}

async function findings(to: string, query = '', key?: string): Promise<[string, string, string][]> {
  const [, check] = await request(
    'GET',
    `/fax/numbers/check?to=${encodeURIComponent(to)}${query}`,
    undefined,
    key,
  );
  return check.findings.map(({ check: name, action, sentence }: Body) => [name, action, sentence]);
}

const checks = async (to: string, query = '') =>
  (await findings(to, query)).map(([name, action]) => [name, action]);

/** Sends with guard=refuse; returns the status, and the sentence of a refusal or the history of the fax. */
async function guarded(
  to: string,
  fields: Record<string, string> = {},
  file = textFile(`guarded ${to}`, 'letter.txt'),
): Promise<[number, string, string]> {
  const answer = await gateway.sendForm({ to, guard: 'refuse', ...fields }, [file]);
  const body = (await answer.json()) as Body;
  if (answer.status !== 202) return [answer.status, answer.headers.get('x-error-code') ?? '', body.detail];
  const [accepted] = await gateway.history(body.id);
  return [answer.status, body.id, accepted?.text ?? ''];
}

describe('the number check', () => {
  test('reports what the guard finds about a number, with what to do', async () => {
    expect(await findings(KNOWN)).toEqual([]);
    expect(await findings(NEW)).toEqual([
      [
        'first_time',
        'ask',
        'No fax was sent to this number before. Retype the last four digits of the number.',
      ],
    ]);
    expect(await findings(OWN)).toEqual([
      ['own_number', 'warn', 'This is one of your own fax numbers. The fax goes to your own inbox.'],
    ]);
    expect(await checks('312 555 0149')).toEqual([
      ['first_time', 'ask'],
      ['near_contact', 'warn'],
    ]);
    expect(await checks('312 555 0104')).toEqual([
      ['first_time', 'ask'],
      ['swapped_digits', 'warn'],
    ]);
    const [, check] = await request('GET', '/fax/numbers/check?to=3125550149');
    expect(check.findings[1].near).toEqual({ to: KNOWN, name: null });
    expect((await request('GET', '/fax/numbers/check?to=12'))[1].findings).toEqual([]);
  });

  test('rule (outbound): a number one digit from a contact is noticed although no fax was sent to that one', async () => {
    await contact({
      name: 'Lakeside Dental',
      fax_number: '+17735550160',
      other_fax_numbers: ['+17735550880'],
    });
    expect(await checks('773 555 0161')).toEqual([
      ['first_time', 'ask'],
      ['near_contact', 'warn'],
    ]);
    const [, [, , sentence] = []] = await findings('773 555 0888');
    expect(sentence).toMatch(
      /^One digit is different from a known number: \+1 773 555 0880, Lakeside Dental\./u,
    );
    // Their name and number stay hidden from a key that may not see contacts.
    expect(await findings('773 555 0161', '', await keyWith(gateway, 'fax:send', 'fax:read'))).toHaveLength(
      1,
    );
    expect(await findings('773 555 0880')).toEqual([]);
  });

  test('rule (outbound): three failures since the last delivery are noticed', async () => {
    const to = '+16175550155';
    for (const expected of [[], [], [['failing', 'warn']]]) {
      await reach(to, 17);
      expect(await checks(to)).toEqual(expected);
    }
    await reach(to);
    expect(await checks(to)).toEqual([]);
  });

  test('rule (outbound): a telephone, a blocked number and a recipient who opted out are noticed', async () => {
    await contact({ name: 'Dr. Vera Lind', fax_number: '+12125550110', voice_number: '+12125550199' });
    await contact({ name: 'Old Pharmacy', fax_number: '+12125550222', blocked: true });
    await contact({ name: 'Quiet Office', fax_number: '+12125550333', opted_out: true });
    expect((await findings('212 555 0199'))[0]).toEqual([
      'voice_number',
      'ask',
      'This is the telephone number of Dr. Vera Lind, not a fax number. Check which number receives faxes.',
    ]);
    expect(await checks('212 555 0222')).toEqual([['blocked', 'refuse']]);
    expect(await checks('212 555 0333')).toEqual([['opted_out', 'ask']]);
    expect(await guarded('212 555 0333')).toEqual([
      409,
      'guard_refused',
      'This recipient opted out of faxes. Send it only if they agreed to this fax. Nothing was sent.',
    ]);
    const [status, , text] = await guarded('212 555 0333', { guard_confirmed: 'opted_out' });
    expect(status).toBe(202);
    expect(text).toMatch(/Confirmed by .+: This recipient opted out of faxes\./u);
    // The block does not depend on what the request says.
    expect((await guarded('212 555 0222', { guard_confirmed: 'blocked' }))[1]).toBe('number_blocked');
  });
});

describe('a fax with guard=refuse', () => {
  test('rule (outbound): goes to a new number with its last four digits, and its history names who confirmed them', async () => {
    const refused = [
      409,
      'guard_refused',
      'No fax was sent to this number before. Retype the last four digits of the number. Nothing was sent.',
    ];
    expect(await guarded(NEW)).toEqual(refused);
    expect(await guarded(NEW, { guard_confirmed: 'first_time' })).toEqual(refused);
    expect(await guarded(NEW, { guard_digits: '0717' })).toEqual([
      409,
      'guard_refused',
      'The last four digits do not match the number. Check the number. Nothing was sent.',
    ]);
    expect((await request('GET', `/fax?to=${encodeURIComponent(NEW)}`))[1].items).toEqual([]);
    const [status, id, text] = await guarded(NEW, { guard_digits: '0171' });
    expect(status).toBe(202);
    const { created_by } = await gateway.fax(id);
    expect(text).toContain(`Digits confirmed by ${created_by.name}.`);
  });

  test('rule (outbound): without guard a fax is accepted as before, whatever is found', async () => {
    const to = '+14155550999';
    const both = [await gateway.send({ to }), await gateway.send({ to })];
    expect(both.map(({ delivery_state }) => delivery_state)).toEqual(['ready', 'ready']);
    expect((await gateway.history(both[1]?.id ?? ''))[0]?.text).not.toContain('onfirmed');
    const answer = await gateway.sendForm({ to: '+14155550888', guard: 'ignore' }, [textFile()]);
    expect(answer.status).toBe(202);
    expect((await gateway.sendForm({ to, guard: 'perhaps' }, [textFile()])).status).toBe(400);
  });

  test('a repeated request answers with its fax and is not asked again', async () => {
    const form = { to: '+14155550444', guard: 'refuse', guard_digits: '0444' };
    const send = () => gateway.sendForm(form, [textFile()], { 'Idempotency-Key': 'guard-1' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([
      202,
      202,
      'true',
    ]);
  });
});

describe('the same document to the same number', () => {
  const file = () => textFile('blood count of today', 'results.txt');

  test('rule (outbound): is noticed for ten minutes, however it came, unless the first one failed', async () => {
    const to = KNOWN;
    const [status, first] = await guarded(to, {}, file());
    expect(status).toBe(202);
    const sentence =
      'A fax with the same document to this number is less than 10 minutes old. Send it again only if they need a second copy.';
    const refused = [409, 'guard_refused', `${sentence} Nothing was sent.`];
    expect(await guarded(to, {}, file())).toEqual(refused);
    // A preview of the same file, before it is sent and as it is sent.
    const form = new FormData();
    form.append('file', file());
    const [, preview] = await gateway
      .request('POST', '/fax/preview', { form })
      .then(async (answer) => [answer.status, (await answer.json()) as Body] as const);
    const query = `&preview_id=${preview.preview_id}`;
    expect(await findings(to, query)).toEqual([['same_document', 'ask', sentence]]);
    expect(await findings(to, `${query}&resend_of=${first}`)).toEqual([]);
    expect(await checks(NEW, query)).toEqual([]);
    const previewed = await gateway.sendForm({ to, guard: 'refuse', preview_id: preview.preview_id }, []);
    expect([previewed.status, ((await previewed.json()) as Body).detail]).toEqual([409, refused[2]]);
    // The stored document of the first fax, as somebody downloaded it.
    const stored = await (await gateway.request('GET', `/fax/${first}/document`)).arrayBuffer();
    const download = new File([new Uint8Array(stored)], 'again.pdf', { type: 'application/pdf' });
    expect(await guarded(to, {}, download)).toEqual(refused);
    const [confirmed, , text] = await guarded(to, { guard_confirmed: 'same_document' }, file());
    expect(confirmed).toBe(202);
    expect(text).toMatch(/Confirmed by .+: A fax with the same document/u);
    gateway.clock.advance(10 * MINUTE + 1);
    expect((await guarded(to, {}, file()))[0]).toBe(202);
    const [, missing] = await request(
      'GET',
      `/fax/numbers/check?to=${encodeURIComponent(to)}&preview_id=${'0'.repeat(32)}`,
    );
    expect(missing.detail).toBe(ERRORS.preview_expired.sentence);
  });

  test('rule (outbound): two at the same moment become one fax', async () => {
    const fields = { guard_digits: '0666' };
    const to = '+14155550666';
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => guarded(to, fields, textFile('once only', 'twice.txt'))),
    );
    expect(answers.map(([status]) => status).sort((a, b) => a - b)).toEqual([202, 409, 409, 409]);
  });

  test('is no second copy when the first one failed or was canceled', async () => {
    const to = KNOWN;
    const text = textFile('a page that fails', 'failed.txt');
    const answer = await gateway.sendForm({ to }, [text]);
    const { id } = (await answer.json()) as Fax;
    await gateway.processAll();
    gateway.emulator.complete(String((await gateway.fax(id)).provider_sid), { errorId: 17 });
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).toBe('failed');
    expect((await guarded(to, {}, text))[0]).toBe(202);
  });
});

describe('the settings of the guard', () => {
  afterEach(() =>
    gateway.set({ GUARD_FIRST_TIME: 'ask', GUARD_BLOCKED: 'refuse', GUARD_NEAR_CONTACT: 'warn' }),
  );

  test('rule (outbound): turn each check off, or into a warning, a question or a refusal, for the next fax', async () => {
    const to = '+16465550777';
    await gateway.set({ GUARD_FIRST_TIME: 'refuse' });
    expect(await guarded(to, { guard_digits: '0777' })).toEqual([
      409,
      'guard_refused',
      'No fax was sent to this number before. Add it to the contacts first. Nothing was sent.',
    ]);
    await gateway.set({ GUARD_FIRST_TIME: 'off' });
    expect(await checks(to)).toEqual([]);
    await gateway.set({ GUARD_FIRST_TIME: 'warn', GUARD_NEAR_CONTACT: 'ask' });
    expect(await checks(to)).toEqual([['first_time', 'warn']]);
    expect(await checks('312 555 0149')).toEqual([
      ['near_contact', 'ask'],
      ['first_time', 'warn'],
    ]);
    expect((await guarded('312 555 0149'))[2]).toMatch(
      /^One digit is different .+ Retype the last four digits/u,
    );
    expect((await guarded(to))[0]).toBe(202);
  });

  test('rule (outbound): a block that asks refuses all faxes that nobody answered for, and one that warns refuses none', async () => {
    const { fax_number: to } = await contact({ name: 'Blocked', fax_number: '+16465550188', blocked: true });
    await gateway.set({ GUARD_BLOCKED: 'ask' });
    expect((await gateway.sendForm({ to }, [textFile()])).headers.get('x-error-code')).toBe('number_blocked');
    expect((await request('GET', `/fax/numbers/check?to=${encodeURIComponent(to)}`))[1].blocked).toBe(true);
    expect((await guarded(to, { guard_confirmed: 'blocked' }))[2]).toMatch(
      /Confirmed by .+ blocked in the contacts\./u,
    );
    await gateway.set({ GUARD_BLOCKED: 'warn' });
    expect((await gateway.sendForm({ to }, [textFile('b', 'b.txt')])).status).toBe(202);
  });
});
