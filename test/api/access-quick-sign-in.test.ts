import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { AccessClient } from './access-changes.ts';
import { addPerson, changeFromOutside, GOOD_PASSWORD } from './access-records.ts';
import { type Answer, sessionOf, startGateway, type TestGateway } from './access-setup.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PIN = '730514';
const CARD = '0007316642';
const NOT_HERE = [401, 'Sign in with your password once. After that, your PIN works here for 30 days.'];
const WRONG = [401, 'That PIN is not correct.'];
const USED_UP = [401, 'Too many wrong PINs. Sign in with your password.'];
const NO_CARD = [
  401,
  'That card is not known here. Sign in with your password once, and check your card in My sign-in.',
];

const outcome = ({ status, body }: Answer) => [status, body.detail];
const browserOf = ({ cookies }: Answer) => cookies[1]?.split(';')[0] ?? '';

describe.each(STORES)(`at a computer that knows its people, with %s${withoutPostgres},`, (store) => {
  let gateway: TestGateway;
  let database: string | null;
  let ann: { id: string; roleId: string };
  let bob: { id: string };
  /** Cookie of the browser that all of them share, as the last answer set it. */
  let browser: string;

  beforeEach(async () => {
    database = store === 'postgres' ? await newPostgresDatabase() : null;
    gateway = await startGateway(database === null ? {} : { postgresUrl: database });
    ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    bob = await addPerson(gateway, { login: 'bob', permissions: ['fax:send'] });
    browser = '';
  });

  afterEach(async () => {
    await gateway.stop();
    if (database !== null) await dropPostgresDatabase(database);
  });

  const post = async (path: string, body: object = {}, cookie: string = browser): Promise<Answer> => {
    const answer = await gateway.request('POST', path, {
      origin: gateway.origin,
      ...(cookie !== '' && { cookie }),
      body,
    });
    if (answer.status === 200 && browserOf(answer) !== '' && cookie === browser) browser = browserOf(answer);
    return answer;
  };
  const enter = (login: string, more: object = {}) => {
    gateway.clock.ms += MINUTE;
    return post('/auth/login', { login, password: GOOD_PASSWORD, ...more });
  };
  const withPin = (who: { id: string }, pin = PIN, cookie?: string) =>
    post('/auth/quick-sign-in/pin-login', { person_id: who.id, pin }, cookie);
  const withCard = (card = CARD) => post('/auth/quick-sign-in/card-login', { card });
  const known = async (cookie?: string) => {
    const { body } = await post('/auth/quick-sign-in/people', {}, cookie);
    return [body.people.map(({ login }: { login: string }) => login), body.takes_cards];
  };
  const own = async (begun: Answer, path: string, body: object) => {
    gateway.clock.ms += MINUTE;
    const session = await sessionOf(gateway, begun);
    return await gateway.request('POST', `/auth/quick-sign-in/${path}`, {
      origin: gateway.origin,
      ...session,
      body,
    });
  };
  const setPin = (begun: Answer, pin = PIN, more: object = {}) =>
    own(begun, 'pin', { pin, current_password: GOOD_PASSWORD, ...more });
  const setCard = (begun: Answer, card = CARD) =>
    own(begun, 'card', { card, current_password: GOOD_PASSWORD });
  const meOf = async (begun: Answer) => {
    const { cookie } = await sessionOf(gateway, begun);
    return (await gateway.request('GET', '/auth/me', { cookie })).body;
  };
  /** Ann and Bob have PINs, and signed in here with their passwords. */
  async function share(): Promise<void> {
    for (const login of ['ann', 'bob']) expect((await setPin(await enter(login))).status).toBe(200);
  }
  const lastEvent = async () => (await gateway.events())[0];

  it('a PIN is set with the password, and is not one that is guessed first', async () => {
    const begun = await enter('ann');
    const state = async () => {
      const { cookie } = await sessionOf(gateway, begun);
      return (await gateway.request('GET', '/auth/quick-sign-in', { cookie })).body;
    };
    expect(await state()).toEqual({ allowed: 'pin', has_pin: false, has_card: false });
    for (const pin of ['000000', '123456', '98765432', '121212', '456456', '77777777'])
      expect(outcome(await setPin(begun, pin))).toEqual([
        400,
        'That PIN is too easy to guess. Choose other digits.',
      ]);
    for (const pin of ['12345', '1234567890123', '12a456', ''])
      expect((await setPin(begun, pin)).status).toBe(400);
    expect(outcome(await setPin(begun, PIN, { current_password: 'wrong' }))[0]).toBe(403);
    expect((await setPin(begun)).status).toBe(200);
    expect(await state()).toEqual({ allowed: 'pin', has_pin: true, has_card: false });
    expect(await lastEvent()).toMatchObject({
      operation: 'pin.set',
      outcome: 'done',
      target: { id: ann.id },
    });
    expect(JSON.stringify(await gateway.events())).not.toContain(PIN);
    const stored = await gateway.db.read.selectFrom('quick_sign_in').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(PIN);
  });

  it('people are listed by name, and switch by their PIN', async () => {
    await share();
    expect(await known()).toEqual([['ann', 'bob'], false]);
    const begun = await withPin(ann);
    expect(begun.status).toBe(200);
    expect(await meOf(begun)).toMatchObject({ login: 'ann', session: { source_kind: 'pin' } });
    expect(await lastEvent()).toMatchObject({ operation: 'session.begin', credentialKind: 'pin' });
    expect(await known()).toEqual([['ann', 'bob'], false]);
    expect(await meOf(await withPin(bob))).toMatchObject({ login: 'bob' });
    expect((await setPin(begun, '861935')).status).toBe(200);
    expect(outcome(await withPin(ann))).toEqual(WRONG);
    expect((await withPin(ann, '861935')).status).toBe(200);
  });

  it('rule (access): a PIN is worth nothing at another computer', async () => {
    await share();
    for (const cookie of [
      '',
      'faxdesk_local_browser=not-a-token',
      'faxdesk_local_browser='.padEnd(65, 'a'),
    ]) {
      expect(await known(cookie)).toEqual([[], false]);
      expect(outcome(await withPin(ann, PIN, cookie))).toEqual(NOT_HERE);
    }
    const elsewhere = browserOf(
      await post('/auth/login', { login: 'bob', password: GOOD_PASSWORD }, 'none=1'),
    );
    expect(await known(elsewhere)).toEqual([['bob'], false]);
    expect(outcome(await withPin(ann, PIN, elsewhere))).toEqual(NOT_HERE);
    expect(outcome(await withPin({ id: 'nobody' }))).toEqual(NOT_HERE);
  });

  it('rule (access): five wrong PINs need the password there, also when they come at once', async () => {
    await share();
    const before = gateway.verifications();
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, i) => withPin(ann, String(500_000 + i * 7))),
    );
    expect(gateway.verifications() - before).toBe(5);
    expect(tries.map((each) => each.status)).toEqual(Array(12).fill(401));
    expect(outcome(await withPin(ann))).toEqual(USED_UP);
    gateway.clock.ms += DAY;
    expect(outcome(await withPin(ann))).toEqual(USED_UP);
    expect((await withPin(bob)).status).toBe(200);
    expect(await lastEvent()).toMatchObject({ actor: { name: 'bob' } });
    expect((await enter('ann')).status).toBe(200);
    expect((await withPin(ann)).status).toBe(200);
  });

  it('a right PIN after wrong ones gives all tries back', async () => {
    await share();
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) expect(outcome(await withPin(ann, '900100'))).toEqual(WRONG);
      expect((await withPin(ann)).status).toBe(200);
    }
    for (let i = 0; i < 4; i += 1) await withPin(ann, '900100');
    expect(outcome(await withPin(ann, '900100'))).toEqual(USED_UP);
    expect((await gateway.events()).find(({ outcome: how }) => how === 'refused')).toMatchObject({
      operation: 'session.begin',
      actor: { name: 'ann' },
      details: { reason: 'pin_wrong' },
    });
  });

  it('the password is needed again after 30 days, however often the PIN was used', async () => {
    await share();
    for (let day = 0; day < 29; day += 7) {
      gateway.clock.ms += 7 * DAY;
      if (day < 21) expect((await withPin(ann)).status).toBe(200);
    }
    expect(await known()).toEqual([[], false]);
    expect(outcome(await withPin(ann))).toEqual(NOT_HERE);
    await enter('ann');
    expect(await known()).toEqual([['ann'], false]);
  });

  it('rule (access): who may not sign in, or changed the password, has no PIN there', async () => {
    await share();
    const client = new AccessClient(gateway);
    const change = async (path: string, method: 'POST' | 'PATCH', body: object = {}) => {
      const { user } = (await client.get(`/access/users/${ann.id}`)).body;
      return await client.sendOk(method, `/access/users/${ann.id}${path}`, {
        version: user.version,
        ...body,
      });
    };
    await change('', 'PATCH', { enabled: false });
    expect(await known()).toEqual([['bob'], false]);
    expect(outcome(await withPin(ann))).toEqual(NOT_HERE);
    await change('', 'PATCH', { enabled: true });
    const begun = await enter('ann');
    const session = await sessionOf(gateway, begun);
    const next = { current_password: GOOD_PASSWORD, password: 'eleven violet kites' };
    const changed = await gateway.request('POST', '/auth/password', {
      origin: gateway.origin,
      ...session,
      body: next,
    });
    expect(changed.status).toBe(200);
    expect(outcome(await withPin(ann))).toEqual(NOT_HERE);
  });

  it('an administrator removes the PIN and the card, which ends the sessions', async () => {
    await share();
    const begun = await withPin(ann);
    const { cookie } = await sessionOf(gateway, begun);
    const client = new AccessClient(gateway);
    const { user } = (await client.get(`/access/users/${ann.id}`)).body;
    expect(user.quick_sign_in).toBe(true);
    const reset = await client.sendOk('POST', `/access/users/${ann.id}/reset-quick-sign-in`, {
      version: user.version,
    });
    expect(reset.user.quick_sign_in).toBe(false);
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
    expect(outcome(await withPin(ann))).toEqual(NOT_HERE);
    expect(await lastEvent()).toMatchObject({
      operation: 'user.reset_quick_sign_in',
      details: { login: 'ann' },
    });
  });

  it('the own PIN is removed, and the setting ends all of them', async () => {
    await share();
    expect((await own(await enter('ann'), 'remove', { what: 'pin' })).status).toBe(200);
    expect(await lastEvent()).toMatchObject({ operation: 'quick_sign_in.remove', details: { what: 'pin' } });
    expect(await known()).toEqual([['bob'], false]);
    expect(outcome(await withPin(ann))).toEqual(NOT_HERE);
    gateway.settings.quickSignIn = 'off';
    expect(await known()).toEqual([[], false]);
    expect(outcome(await withPin(bob))).toEqual(NOT_HERE);
    expect(outcome(await setPin(await enter('ann')))).toEqual([
      409,
      'Your office does not allow that. An owner can, in Settings.',
    ]);
  });

  it('a card signs its person in, where the office takes cards', async () => {
    await share();
    expect((await setCard(await enter('ann'))).status).toBe(409);
    gateway.settings.quickSignIn = 'pin_or_card';
    expect(outcome(await withCard())).toEqual(NO_CARD);
    expect((await setCard(await enter('ann'))).status).toBe(200);
    expect(outcome(await setCard(await enter('bob')))).toEqual([409, 'That is the card of another person.']);
    expect((await setCard(await enter('bob'), 'B-29918')).status).toBe(200);
    expect(await known()).toEqual([['ann', 'bob'], true]);
    expect(await meOf(await withCard())).toMatchObject({ login: 'ann', session: { source_kind: 'card' } });
    expect(await meOf(await withCard('B-29918'))).toMatchObject({ login: 'bob' });
    expect(outcome(await withCard('0007316643'))).toEqual(NO_CARD);
    expect(await lastEvent()).toMatchObject({ outcome: 'refused', details: { reason: 'card_unknown' } });
    gateway.settings.quickSignIn = 'pin';
    expect(outcome(await withCard())).toEqual(NO_CARD);
    expect((await known())[1]).toBe(false);
  });

  it('a card gives no tries of the PIN back', async () => {
    gateway.settings.quickSignIn = 'pin_or_card';
    await share();
    await setCard(await enter('ann'));
    for (let i = 0; i < 5; i += 1) await withPin(ann, '900100');
    expect((await withCard()).status).toBe(200);
    expect(outcome(await withPin(ann))).toEqual(USED_UP);
  });

  it('cards are guessed 20 times at most', async () => {
    gateway.settings.quickSignIn = 'pin_or_card';
    await setCard(await enter('ann'));
    await enter('ann');
    const statuses: number[] = [];
    for (let i = 0; i < 22; i += 1) statuses.push((await withCard(`guess-${i}`)).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
  });

  it('right cards use up no tries, however often people switch', async () => {
    gateway.settings.quickSignIn = 'pin_or_card';
    await setCard(await enter('ann'));
    for (let i = 0; i < 25; i += 1) {
      gateway.clock.ms += 15_000;
      expect((await withCard()).status).toBe(200);
    }
  });

  it('a card that two people have is the card of neither', async () => {
    gateway.settings.quickSignIn = 'pin_or_card';
    await setCard(await enter('ann'));
    await setCard(await enter('bob'), 'B-29918');
    await changeFromOutside(gateway, async (tx) => {
      const { card_hash } = await tx
        .selectFrom('quick_sign_in')
        .select('card_hash')
        .where('principal_id', '=', ann.id)
        .executeTakeFirstOrThrow();
      await tx.updateTable('quick_sign_in').set({ card_hash }).where('principal_id', '=', bob.id).execute();
    });
    expect(outcome(await withCard())).toEqual(NO_CARD);
  });

  it('rule (access): a card is no second factor, and a PIN is set with the one there is', async () => {
    gateway.settings.quickSignIn = 'pin_or_card';
    await share();
    await setCard(await enter('ann'));
    await changeFromOutside(gateway, async (tx) => {
      await tx.updateTable('role').set({ requires_two_factor: 1 }).where('id', '=', ann.roleId).execute();
    });
    expect(outcome(await withCard())).toEqual([
      401,
      'You sign in with two factors, and a card is one. Use your PIN or password.',
    ]);
    expect(await lastEvent()).toMatchObject({
      actor: { name: 'ann' },
      outcome: 'refused',
      details: { reason: 'card_alone' },
    });
    const begun = await enter('ann');
    const session = await sessionOf(gateway, begun);
    const factor = (path: string, body: object) => {
      gateway.clock.ms += MINUTE;
      return gateway.request('POST', `/auth/two-factor/${path}`, {
        origin: gateway.origin,
        ...session,
        body,
      });
    };
    const { secret } = (await factor('begin', { current_password: GOOD_PASSWORD })).body;
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: gateway.clock.ms + MINUTE });
    expect((await factor('confirm', { code: code() })).status).toBe(200);
    expect(outcome(await setPin(begun, '861935'))).toEqual([
      403,
      'Confirm with a code or a passkey as well.',
    ]);
    expect((await setPin(begun, '861935', { code: code() })).status).toBe(200);
    // The browsers are forgotten once there is a second factor.
    expect(outcome(await withPin(ann, '861935'))).toEqual(NOT_HERE);
    gateway.clock.ms += MINUTE;
    expect((await enter('ann', { code: code() })).status).toBe(200);
    await changeFromOutside(gateway, async (tx) => {
      await tx.updateTable('role').set({ requires_two_factor: 0 }).where('id', '=', ann.roleId).execute();
    });
    expect((await withCard()).status).toBe(401);
    expect((await own(begun, 'card', { card: CARD, current_password: GOOD_PASSWORD })).status).toBe(409);
    const state = await gateway.request('GET', '/auth/quick-sign-in', { cookie: session.cookie });
    expect(state.body).toEqual({ allowed: 'pin', has_pin: true, has_card: true });
    expect((await withPin(ann, '861935')).status).toBe(200);
  });
});
