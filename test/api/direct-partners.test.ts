import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unlessMissing } from '../fixtures/referees.ts';
import { DAY } from '../setup/manual-clock.ts';
import {
  addCard,
  cardOf,
  challenge,
  codePage,
  confirm,
  exchangeCards,
  faxCode,
  type Office,
  type Partner,
  partnerOf,
  partnersOf,
  readCode,
  revoke,
  startOffice,
} from './direct-setup.ts';

const poppler = unlessMissing('pdftotext');
const NORTH = '+12025550101';
const SOUTH = '+12025550102';

let north: Office;
let south: Office;
beforeAll(async () => {
  north = await startOffice('North Clinic', NORTH);
  south = await startOffice('South Pharmacy', SOUTH, { store: 'postgres' });
});
afterAll(() => Promise.all([north?.close(), south?.close()]));

const advance = (ms: number) => {
  for (const { gateway } of [north, south]) gateway.clock.advance(ms);
};

describe.skipIf(poppler.skip)(`a partnership${poppler.reason}`, () => {
  test('rule (direct): A partner is verified at both sides once a faxed code came back signed', async () => {
    const [added] = await exchangeCards(north, south);
    expect(added).toMatchObject({
      outcome: 'added',
      card: { organization: 'South Pharmacy', fax_number: SOUTH, endpoint: south.gateway.url },
      partner: { state: 'pending', sends_directly: false, receives_directly: false, code_sent: false },
    });
    const code = await faxCode(north);
    expect(await partnerOf(north)).toMatchObject({ state: 'pending', code_sent: true, verified_at: null });
    expect((await confirm(south, await partnerOf(south), code)).status).toBe(200);
    expect(await partnerOf(north)).toMatchObject({
      state: 'verified',
      sends_directly: true,
      receives_directly: true,
      code_sent: false,
      status: 'Faxes to them go directly. Theirs come directly once they have checked your number too.',
    });
    // Nobody faxed a code to the number of the other side yet.
    expect(await partnerOf(south)).toMatchObject({
      state: 'verified',
      sends_directly: false,
      receives_directly: true,
      status: 'They checked your number. Fax them a code before faxes go to them directly.',
    });
    const [one, other] = [await partnerOf(north), await partnerOf(south)];
    expect(one.expires_at).toBe(other.expires_at);
  });

  test('the code is a fax of its own kind that goes by phone', async () => {
    const { code_fax_id } = await partnerOf(north);
    const fax = await north.gateway.fax(code_fax_id ?? '');
    expect(fax).toMatchObject({ kind: 'code', to: SOUTH, send_by_call: true, document: { pages: 1 } });
    const page = await codePage(north, await partnerOf(north));
    for (const part of ['North Clinic', '+1 202 555 0101', '+1 202 555 0102', 'Contacts > Partners'])
      expect(page).toContain(part);
    await north.gateway.processAll();
    expect((await north.gateway.fax(code_fax_id ?? '')).provider_sid).not.toBeNull();
    const elsewhere = await north.gateway.request('POST', `/fax/${code_fax_id}/resend`, {
      json: { to: '+12025550177' },
    });
    expect(elsewhere.status).toBe(409);
  });

  test('each side checks the number of the other by itself', async () => {
    expect((await confirm(north, await partnerOf(north), await faxCode(south))).status).toBe(200);
    for (const office of [north, south])
      expect(await partnerOf(office)).toMatchObject({
        state: 'verified',
        sends_directly: true,
        status: 'Documents go directly in both directions.',
      });
  });

  test('rule (direct): A card of the same partner replaces the one before', async () => {
    const before = await partnerOf(north);
    expect(await (await addCard(north, await cardOf(south))).json()).toMatchObject({ outcome: 'unchanged' });
    await south.gateway.set({ DIRECT_ORGANIZATION: 'South Pharmacy and Lab' });
    expect(await (await addCard(north, await cardOf(south))).json()).toMatchObject({
      outcome: 'renewed',
      sentence: 'South Pharmacy and Lab is a partner already. Its card was replaced by this one.',
      partner: { id: before.id, organization: 'South Pharmacy and Lab', state: 'verified' },
    });
    // A code was faxed to the number on the card before, not to this one.
    await south.gateway.set({ DIRECT_FAX_NUMBER: '+12025550109' });
    await addCard(north, await cardOf(south));
    expect(await partnerOf(north)).toMatchObject({ sends_directly: false, number_confirmed_at: null });
    await south.gateway.set({ DIRECT_FAX_NUMBER: SOUTH });
    await addCard(north, await cardOf(south));
    expect((await confirm(south, await partnerOf(south), await faxCode(north))).status).toBe(200);
  });

  test('rule (direct): A check counts for a year, and its renewal leaves no gap', async () => {
    advance(DAY * 336);
    for (const { gateway } of [north, south]) await gateway.processAll();
    const before = await partnerOf(north);
    expect(before).toMatchObject({ sends_directly: true, renewal_due: true });
    const code = await faxCode(north);
    expect(await partnerOf(north)).toMatchObject({ sends_directly: true, code_sent: true });
    expect((await confirm(south, await partnerOf(south), code)).status).toBe(200);
    const after = await partnerOf(north);
    expect(after).toMatchObject({ sends_directly: true, renewal_due: false });
    expect(Date.parse(after.number_expires_at ?? '') - Date.parse(before.number_expires_at ?? '')).toBe(
      DAY * 336,
    );
    // The check of the other direction was not renewed.
    advance(DAY * 30);
    expect(await partnerOf(south)).toMatchObject({ state: 'verified', sends_directly: false });
    advance(DAY * 336);
    for (const office of [north, south])
      expect(await partnerOf(office)).toMatchObject({
        state: 'pending',
        sends_directly: false,
        receives_directly: false,
        verified_at: null,
      });
  });

  test('rule (direct): Removing a partner ends direct delivery at both sides at once', async () => {
    const code = await faxCode(south);
    expect((await confirm(north, await partnerOf(north), code)).status).toBe(200);
    const read = await partnerOf(north);
    expect((await revoke(north, { ...read, version: read.version - 1 })).status).toBe(409);
    const removed = await revoke(north, read);
    expect(await removed.json()).toMatchObject({
      state: 'revoked',
      sends_directly: false,
      receives_directly: false,
      status: 'You removed this partner. Faxes to it go by phone.',
    });
    // Refused at once, before the other side received the removal.
    const refused = await confirm(south, await partnerOf(south), '12345 67890');
    expect([refused.status, await refused.json()]).toEqual([
      409,
      {
        detail:
          'North Clinic does not accept statements from this installation. Ask them to add your card, and check the clocks of both computers.',
      },
    ]);
    await north.gateway.processAll();
    expect(await partnerOf(south)).toMatchObject({
      state: 'revoked',
      status: 'They removed this installation. Faxes to them go by phone.',
    });
    expect((await challenge(south, await partnerOf(south))).status).toBe(409);
  });

  test('a removed partner begins again by its card', async () => {
    const [one] = await exchangeCards(north, south);
    expect(one).toMatchObject({
      outcome: 'added',
      partner: { state: 'pending', number_confirmed_at: null, last_exchange_at: null },
    });
    expect(await partnersOf(north)).toHaveLength(1);
    const code = readCode(
      await codePage(north, (await (await challenge(north, await partnerOf(north))).json()) as Partner),
    );
    expect((await confirm(south, await partnerOf(south), code.replace(' ', '-'))).status).toBe(200);
    expect(await partnerOf(north)).toMatchObject({ state: 'verified' });
  });

  test('rule (direct): Partners get new own keys in a signed statement, and stay verified', async () => {
    const before = await partnerOf(south);
    const rotated = await north.gateway.request('POST', '/direct/card/rotate');
    const { fingerprint } = (await rotated.json()) as { fingerprint: string };
    // Before the statement arrives, the partner verifies its sender by the former keys.
    expect((await confirm(north, await partnerOf(north), await faxCode(south))).status).toBe(200);
    expect(await partnerOf(south)).toMatchObject({ fingerprint: before.fingerprint, state: 'verified' });
    await north.gateway.processAll();
    expect(await partnerOf(south)).toMatchObject({ fingerprint, state: 'verified', sends_directly: true });
    expect((await confirm(south, await partnerOf(south), await faxCode(north))).status).toBe(200);
    expect(await partnerOf(north)).toMatchObject({ state: 'verified', sends_directly: true });
  });

  test('the security audit names who did what', async () => {
    const audit = async ({ gateway }: Office) => {
      const page = await gateway.request('GET', '/access/audit?limit=200');
      return ((await page.json()) as { items: { operation: string; actor: { name: string } }[] }).items
        .filter(({ operation }) => operation.startsWith('partner.'))
        .map(({ operation, actor }) => `${actor.name}: ${operation}`);
    };
    const entries = await audit(north);
    expect(entries).toContain('South Pharmacy and Lab: partner.verified');
    expect(new Set(entries.map((entry) => entry.split(': ')[1]))).toEqual(
      new Set([
        'partner.add',
        'partner.challenge',
        'partner.verified',
        'partner.change_card',
        'partner.confirm',
        'partner.revoke',
      ]),
    );
    expect(await audit(south)).toContain('North Clinic: partner.revoked');
  });
});
