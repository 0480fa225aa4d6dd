import { Secret, TOTP } from 'otpauth';
import { MINUTE } from '../../setup/manual-clock.ts';
import { SoftwareAuthenticator } from '../../setup/software-authenticator.ts';
import type { Examples } from './examples.ts';

const PASSWORD = 'quiet harbour lantern';
const PIN = '730514';
const CARD = '0007316642';

/** The first owner and the ways to sign in. Returns the session of the owner and their id. */
export async function callSignIn(x: Examples): Promise<{ session: Record<string, string>; id: string }> {
  const { policy_version } = await x.call('getMe');
  await x.call('getWelcome', { key: null });
  const { temporary_password, user } = await x.call('enrollOwner', {
    json: { login: 'mara', display_name: 'Mara Okafor', expected_policy_version: policy_version },
  });
  const first = await signIn(x, temporary_password);
  await x.call('changePassword', {
    key: null,
    session: first,
    json: { current_password: temporary_password, password: PASSWORD },
  });
  return { session: await signIn(x, PASSWORD), id: user.id };
}

async function signIn(x: Examples, password: string): Promise<Record<string, string>> {
  const session = { Origin: x.gateway.url };
  await x.call('signIn', { key: null, session, json: { login: 'mara', password } });
  const answer = await x.gateway.request('POST', '/auth/login', {
    key: null,
    headers: session,
    json: { login: 'mara', password },
  });
  const cookie = { Cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const me = await x.gateway.request('GET', '/auth/me', { key: null, headers: cookie });
  const { csrf_token } = (await me.json()) as { csrf_token: string };
  return { ...session, ...cookie, 'X-CSRF-Token': csrf_token };
}

/** Second factor, passkeys, PIN, card and sessions of the owner. */
export async function callSecondFactors(x: Examples, session: Record<string, string>): Promise<void> {
  const as = { key: null, session };
  await x.call('listSessions', as);
  await x.call('getTwoFactor', as);
  await x.call('getSignInNotice', as);
  const { secret } = await x.call('beginTwoFactor', { ...as, json: { current_password: PASSWORD } });
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: x.gateway.clock.now() });
  await x.call('confirmTwoFactor', { ...as, json: { code: code() } });
  x.gateway.clock.advance(31_000);
  await x.call('renewRecoveryCodes', { ...as, json: { code: code() } });
  await callSignInNotice(x, session);
  x.gateway.clock.advance(31_000);
  await x.call('removeTwoFactor', { ...as, json: { current_password: PASSWORD, code: code() } });
  await callPasskeys(x, session);
  await callQuickSignIn(x, session);
}

/** Somebody has the password and not the code. */
async function callSignInNotice(x: Examples, session: Record<string, string>): Promise<void> {
  const as = { key: null, session };
  await x.gateway.request('POST', '/auth/login', {
    key: null,
    headers: { Origin: x.gateway.url },
    json: { login: 'mara', password: PASSWORD },
  });
  const { notice } = await x.call('getSignInNotice', as);
  await x.call('dismissSignInNotice', { ...as, json: { last_at: notice.last_at } });
}

/** A passkey of a device, which signs for the page at `localhost`. */
async function callPasskeys(x: Examples, session: Record<string, string>): Promise<void> {
  const { clock } = x.gateway;
  const origin = x.gateway.url.replace('127.0.0.1', 'localhost');
  const device = new SoftwareAuthenticator(origin);
  const as = { key: null, session: { ...session, Origin: origin } };
  clock.advance(MINUTE);
  const begun = await x.call('beginPasskey', { ...as, json: { current_password: PASSWORD } });
  const passkey = device.create(begun);
  const { passkey: added } = await x.call('addPasskey', { ...as, json: { name: 'Laptop', passkey } });
  await x.call('listPasskeys', as);
  const alone = { key: null, session: { Origin: origin } };
  const { options, cookie } = await passkeyOptions(x, origin);
  await x.call('createPasskeyOptions', { ...alone, json: {} });
  await x.call('signInWithPasskey', {
    key: null,
    session: { Origin: origin, Cookie: cookie },
    json: { passkey: device.sign(options) },
  });
  clock.advance(MINUTE);
  const proof = await x.call('provePasskey', as);
  await x.call('removePasskey', {
    ...as,
    params: { id: added.id },
    json: { current_password: PASSWORD, passkey: device.sign(proof) },
  });
}

/** PIN and card of the owner, each used in a browser where they typed their password. */
async function callQuickSignIn(x: Examples, session: Record<string, string>): Promise<void> {
  const as = { key: null, session };
  await x.gateway.set({ QUICK_SIGN_IN: 'pin_or_card' });
  x.gateway.clock.advance(MINUTE);
  await x.call('setPin', { ...as, json: { pin: PIN, current_password: PASSWORD } });
  await x.call('setCard', { ...as, json: { card: CARD, current_password: PASSWORD } });
  await x.call('getQuickSignIn', as);
  const [first, second] = [await knownBrowser(x), await knownBrowser(x)];
  const { people } = await x.call('listQuickSignIns', { key: null, session: first });
  await x.call('signInWithPin', { key: null, session: first, json: { person_id: people[0].id, pin: PIN } });
  await x.call('signInWithCard', { key: null, session: second, json: { card: CARD } });
  await x.call('removeQuickSignIn', { ...as, json: { what: 'card' } });
}

/** Headers of a browser in which the owner signed in with the password. */
async function knownBrowser(x: Examples): Promise<Record<string, string>> {
  const session = { Origin: x.gateway.url };
  const answer = await x.gateway.request('POST', '/auth/login', {
    key: null,
    headers: session,
    json: { login: 'mara', password: PASSWORD },
  });
  return { ...session, Cookie: answer.headers.getSetCookie()[1]?.split(';')[0] ?? '' };
}

async function passkeyOptions(x: Examples, origin: string) {
  const answer = await x.gateway.request('POST', '/auth/passkey/options', {
    key: null,
    headers: { Origin: origin },
    json: {},
  });
  const options = (await answer.json()) as Parameters<SoftwareAuthenticator['sign']>[0];
  return { options, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

/** Ends sessions of others and one's own. */
export async function callSignOut(x: Examples, session: Record<string, string>): Promise<void> {
  const { policy_version } = await x.call('getMe');
  const json = { expected_policy_version: policy_version };
  const { items } = await x.call('listAccessSessions');
  await x.call('revokeAccessSession', { params: { session_id: items.at(-1).session_id }, json });
  const own = await x.call('listSessions', { key: null, session });
  const other = own.items.find((each: { current: boolean }) => !each.current);
  await x.call('revokeSession', {
    key: null,
    session,
    params: { session_id: other.session_id },
    json: { expected_policy_version: (await x.call('getMe')).policy_version },
  });
  await x.call('signOut', { key: null, session });
}
