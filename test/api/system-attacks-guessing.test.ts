import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addPerson, changeFromOutside, GOOD_PASSWORD } from './access-records.ts';
import { type Answer, sessionOf, signIn, startGateway, type TestGateway } from './access-setup.ts';

const WRONG = { detail: 'The sign-in name or password is not correct.' };
const MINUTE = 60_000;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.stop());

/** A person who signs in with a code as well. */
async function addCarefulPerson(login: string): Promise<void> {
  await addPerson(gateway, { login });
  const { cookie, csrf } = await sessionOf(gateway, await signIn(gateway, login, GOOD_PASSWORD));
  const post = (path: string, body: object) =>
    gateway.request('POST', `/auth/two-factor/${path}`, { cookie, csrf, origin: gateway.origin, body });
  const { secret } = (await post('begin', { current_password: GOOD_PASSWORD })).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: gateway.clock.ms });
  expect((await post('confirm', { code })).status).toBe(200);
  gateway.clock.ms += MINUTE;
}

/** An attempt to sign in with what it answered, and how often a password was looked at for it. */
async function attempt(body: object): Promise<{ answer: Answer; looks: number }> {
  const before = gateway.verifications();
  const answer = await gateway.request('POST', '/auth/login', { origin: gateway.origin, body });
  return { answer, looks: gateway.verifications() - before };
}

test('a wrong sign-in costs one look at a password and says the same, whoever it names', async () => {
  await addPerson(gateway, { login: 'ann' });
  await addPerson(gateway, { login: 'new', changeRequired: true });
  await addCarefulPerson('careful');
  const gone = await addPerson(gateway, { login: 'gone' });
  await changeFromOutside(gateway, (tx) =>
    tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', gone.id).execute(),
  );
  const password = 'a wrong password';
  for (const body of [
    { login: 'ann', password },
    { login: ' ANN ', password },
    { login: 'new', password },
    { login: 'careful', password },
    { login: 'careful', password, code: '000000' },
    { login: 'gone', password },
    { login: 'gone', password: GOOD_PASSWORD },
    { login: 'gone', password: GOOD_PASSWORD, code: '000000' },
    { login: 'nobody', password },
    { login: 'nobody', password, code: '000000' },
    { login: 'bootstrap', password },
    { login: "' or 1=1 --", password },
    { login: 'ann', password: 'x'.repeat(1024) },
  ]) {
    const { answer, looks } = await attempt(body);
    expect([body, answer.status, answer.body, answer.cookies, looks]).toEqual([body, 401, WRONG, [], 1]);
    gateway.clock.ms += MINUTE;
  }
});

test('a second factor is required after the password alone, and costs no further look', async () => {
  await addCarefulPerson('careful');
  const sentenceOf = async (code?: string) => {
    const body = { login: 'careful', password: GOOD_PASSWORD, ...(code === undefined ? {} : { code }) };
    const { answer, looks } = await attempt(body);
    return [answer.status, answer.body.detail, looks];
  };
  expect(await sentenceOf()).toEqual([401, 'Enter the code from your authenticator app.', 1]);
  expect(await sentenceOf('000000')).toEqual([401, 'That code is not correct or was already used.', 1]);
});

test('codes are guessed no faster than passwords', async () => {
  await addCarefulPerson('careful');
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1) {
    const code = String(100_000 + n);
    const { answer, looks } = await attempt({ login: 'careful', password: GOOD_PASSWORD, code });
    statuses.push(answer.status);
    expect(looks).toBe(answer.status === 429 ? 0 : 1);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});
