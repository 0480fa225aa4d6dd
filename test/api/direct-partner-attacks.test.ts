import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedText } from '../../server/features/direct/wire/statement.ts';
import type { LookupAll } from '../../server/platform/http-connection.ts';
import { type FakePartner, startFakePartner } from '../setup/fake-partner.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import {
  addCard,
  cardOf,
  challenge,
  confirm,
  type Office,
  partnerOf,
  partnersOf,
  revoke,
  startOffice,
} from './direct-setup.ts';

const NUMBER = '+12025550143';
const NEVER = '2099-01-01T00:00:00.000Z';

let office: Office;
let partner: FakePartner;
let ownKey: string;
/** Addresses that each name has now. */
const addresses = new Map<string, string[]>();
const lookup: LookupAll = (name, _options, found) =>
  found(
    null,
    (addresses.get(name) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );

beforeAll(async () => {
  office = await startOffice('North Clinic', '+12025550101', { peerNetwork: { lookup } });
  partner = await startFakePartner('Riverside Pharmacy', NUMBER);
  const own = (await (await office.gateway.request('GET', '/direct/card')).json()) as {
    card: { signing_key: string };
  };
  ownKey = own.card.signing_key;
  await addCard(office, partner.cardText());
});
afterAll(() => Promise.all([office?.close(), partner?.close()]));

const now = () => office.gateway.clock.now();
const post = (path: string, body: string) =>
  fetch(`${office.gateway.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
const refusal = ({ status, headers }: Response) => [status, headers.get('X-Error-Code')];
const returnCode = (code: string, at = now(), by = partner) =>
  post('/direct/verifications', signedText(by.sign({ ...by.head('verification', ownKey, at), code })));

test('rule (direct): Five wrong codes close a code, and none is taken after 7 days', async () => {
  expect((await challenge(office, await partnerOf(office))).status).toBe(200);
  for (const left of [4, 3, 2, 1, 0]) {
    const answer = await returnCode('0000000000');
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { statement: { type: 'refused', reason: 'wrong_code', tries_left: left, to: partner.signingKey } },
    ]);
  }
  expect(await (await returnCode('0000000000')).json()).toMatchObject({ statement: { reason: 'closed' } });
  expect(await partnerOf(office)).toMatchObject({ state: 'pending', code_sent: false });
  expect((await challenge(office, await partnerOf(office))).status).toBe(200);
  office.gateway.clock.advance(7 * DAY);
  expect(await (await returnCode('0000000000')).json()).toMatchObject({ statement: { reason: 'expired' } });
});

test('rule (direct): Only a statement that a partner signed for this installation just now is read', async () => {
  const stranger = await startFakePartner('Nobody', '+12025550144');
  try {
    expect(refusal(await returnCode('0000000000', now(), stranger))).toEqual([403, 'direct_unknown_sender']);
  } finally {
    await stranger.close();
  }
  for (const ahead of [-25 * HOUR, 25 * HOUR])
    expect(refusal(await returnCode('0000000000', now() + ahead))).toEqual([403, 'direct_not_taken']);
  const elsewhere = partner.sign(partner.head('revoked', partner.signingKey, now()));
  expect(refusal(await post('/direct/statements', signedText(elsewhere)))).toEqual([403, 'direct_not_taken']);
  const ended = partner.sign(partner.head('revoked', ownKey, now()));
  const altered = { ...ended, statement: { ...ended.statement, time: new Date(now() + 1).toISOString() } };
  expect(refusal(await post('/direct/statements', signedText(altered)))).toEqual([
    403,
    'direct_bad_signature',
  ]);
  for (const body of ['', 'no JSON', '{}', ` ${signedText(ended)}`])
    expect(refusal(await post('/direct/statements', body))).toEqual([400, 'direct_unreadable']);
  expect((await post('/direct/statements', 'x'.repeat(17 * 1024))).status).toBe(413);
  expect(await partnerOf(office)).toMatchObject({ state: 'pending' });
});

test('a flood of strangers changes nothing and is refused each time', async () => {
  const stranger = await startFakePartner('Nobody', '+12025550144');
  try {
    const body = signedText(
      stranger.sign({ ...stranger.head('verification', ownKey, now()), code: '12345678' }),
    );
    const before = await partnersOf(office);
    const answers = await Promise.all(Array.from({ length: 200 }, () => post('/direct/verifications', body)));
    expect(answers.every(({ status }) => status === 403 || status === 503)).toBe(true);
    expect(await partnersOf(office)).toEqual(before);
  } finally {
    await stranger.close();
  }
});

test.each([
  ['a redirect', 302, { Location: 'http://127.0.0.1:9/' }, ''],
  ['an answer without a signature', 200, {}, '{"ok":true}'],
  ['an answer that is too large', 200, {}, 'x'.repeat(100_000)],
  ['an answer of a server that does not know the address', 404, {}, '{}'],
] as const)('%s confirms no code', async (_what, status, headers, body) => {
  partner.answer = (_request, response) => response.writeHead(status, headers).end(body);
  expect((await confirm(office, await partnerOf(office), '48213 90576')).status).toBe(503);
  expect(await partnerOf(office)).toMatchObject({ state: 'pending', confirmed_by_them_at: null });
});

test('a name that leads to a private address by now is not called', async () => {
  await office.gateway.set({
    DIRECT_ALLOW_PRIVATE_PEERS: false,
    PUBLIC_API_URL: 'https://fax.north.example',
  });
  const asked = partner.requests.length;
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '169.254.169.254',
    '10.0.0.8',
  ]) {
    addresses.set('fax.riverside.example', ['8.8.8.8', address]);
    const answer = await addCard(office, partner.cardText({ endpoint: 'https://fax.riverside.example' }));
    expect([address, answer.status]).toEqual([address, 409]);
  }
  addresses.set('fax.riverside.example', ['8.8.8.8']);
  expect(
    (await addCard(office, partner.cardText({ endpoint: 'https://fax.riverside.example' }))).status,
  ).toBe(200);
  addresses.set('fax.riverside.example', ['127.0.0.1']);
  const answer = await confirm(office, await partnerOf(office), '48213 90576');
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    503,
    expect.stringContaining('not a public address'),
  ]);
  expect(partner.requests).toHaveLength(asked);
  await office.gateway.set({ DIRECT_ALLOW_PRIVATE_PEERS: true, PUBLIC_API_URL: office.gateway.url });
  await addCard(office, partner.cardText());
});

test('our own card, and one that is no card, are refused with a sentence', async () => {
  expect((await addCard(office, await cardOf(office))).status).toBe(409);
  expect((await addCard(office, partner.cardText({ fax_number: '+12025550101' }))).status).toBe(409);
  expect((await addCard(office, 'faxdesk-card:nothing')).status).toBe(400);
});

test('a partner that is removed while it answers stays removed', async () => {
  const before = await partnerOf(office);
  let removed: Response | null = null;
  partner.acceptCodes(NEVER);
  const accept = partner.answer;
  partner.answer = (request, response, body) => {
    void revoke(office, before).then((answer) => {
      removed = answer;
      accept(request, response, body);
    });
  };
  expect((await confirm(office, before, '48213 90576')).status).toBe(409);
  expect(removed).toMatchObject({ status: 200 });
  expect(await partnerOf(office)).toMatchObject({ state: 'revoked', confirmed_by_them_at: null });
  expect((await returnCode('0000000000')).status).toBe(403);
});

test('rule (direct): A partner replaces its keys by a statement that the former ones sign', async () => {
  await addCard(office, partner.cardText());
  const before = await partnerOf(office);
  const former = partner.signingKey;
  const next = await startFakePartner('Riverside Pharmacy', NUMBER);
  try {
    const change = partner.sign({ ...partner.head('key_change', ownKey, now()), card: next.card() });
    expect((await post('/direct/statements', signedText(change))).status).toBe(200);
    expect((await partnerOf(office)).fingerprint).not.toBe(before.fingerprint);
    const { version } = await partnerOf(office);
    // Repeated, it changes nothing; the former keys cannot change them once more.
    expect((await post('/direct/statements', signedText(change))).status).toBe(200);
    expect((await partnerOf(office)).version).toBe(version);
    const third = await startFakePartner('Riverside Pharmacy', NUMBER);
    const again = partner.sign({ ...partner.head('key_change', ownKey, now()), card: third.card() });
    await third.close();
    expect((await post('/direct/statements', signedText(again))).status).toBe(403);
    // Statements that are under way with the former key are read for 30 days.
    expect(partner.signingKey).toBe(former);
    expect((await returnCode('0000000000')).status).toBe(409);
    expect((await returnCode('0000000000', now(), next)).status).toBe(409);
    office.gateway.clock.advance(31 * DAY);
    expect((await returnCode('0000000000')).status).toBe(403);
    expect((await returnCode('0000000000', now(), next)).status).toBe(409);
  } finally {
    await next.close();
  }
});
