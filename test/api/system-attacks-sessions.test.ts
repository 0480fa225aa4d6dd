import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { RawConnection } from '../setup/raw-connection.ts';
import { FilledGateway, guarded, named } from './access-filled.ts';
import { sessionWith } from './console-stream.ts';

type Headers = Record<string, string>;

let filled: FilledGateway;
let gateway: TestGateway;
/** Two sessions that may do everything. */
let session: Headers;
let another: Headers;
let key: string;
beforeAll(async () => {
  filled = await FilledGateway.open();
  gateway = filled.gateway;
  key = await filled.keyWith(ALL_PERMISSIONS);
  session = await sessionWith(gateway, key);
  another = await sessionWith(gateway, key);
});
afterAll(() => filled.close());

const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;
const cookieOf = ({ Cookie = '' }: Headers): Headers => ({ Cookie });
const me = (headers: Headers) => gateway.request('GET', '/auth/me', { key: null, headers });

describe('the page of somebody else', () => {
  const unsafe = guarded.filter(({ method }) => method !== 'GET');

  test.each(unsafe.map((route) => [named(route), route] as const))(
    'cannot make a browser do %s',
    async (_name, route) => {
      const { 'X-CSRF-Token': token = '', Origin = '' } = session;
      const ofAnother = another['X-CSRF-Token'] ?? '';
      const attempts: [Headers, string][] = [
        [{}, ERRORS.wrong_csrf_token.sentence],
        [{ Origin }, ERRORS.wrong_csrf_token.sentence],
        [{ 'X-CSRF-Token': '' }, ERRORS.wrong_csrf_token.sentence],
        [{ 'X-CSRF-Token': ofAnother }, ERRORS.wrong_csrf_token.sentence],
        [{ 'X-CSRF-Token': `${token}x` }, ERRORS.wrong_csrf_token.sentence],
        [{ 'X-CSRF-Token': token, Origin: 'https://elsewhere.example' }, ERRORS.origin_refused.sentence],
        [{ 'X-CSRF-Token': token, Origin: 'null' }, ERRORS.origin_refused.sentence],
        [{ 'X-CSRF-Token': token, Origin: `${Origin}.example` }, ERRORS.origin_refused.sentence],
      ];
      for (const [headers, sentence] of attempts) {
        const answer = await filled.request(route, { headers: { ...cookieOf(session), ...headers } });
        expect([headers, answer.status, await detailOf(answer)]).toEqual([headers, 403, sentence]);
      }
    },
  );

  test('is not in the way of the own one', async () => {
    const headers = { ...session };
    const made = await gateway.request('POST', '/access/groups', {
      key: null,
      headers,
      json: { nonsense: 1 },
    });
    expect(made.status).toBe(400);
  });
});

describe('a cookie that was set before the sign-in', () => {
  const signIn = async (Cookie: string) => {
    const headers = { Origin: gateway.url, Cookie };
    // The limit of sign-ins with one key is not what is tested.
    gateway.clock.advance(12 * SECOND);
    const answer = await gateway.request('POST', '/auth/key-login', {
      key: null,
      json: { api_key: key },
      headers,
    });
    expect(answer.status).toBe(200);
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };

  test.each(['faxdesk_local_session', 'faxdesk_session', '__Host-faxdesk_session'])(
    'as %s never becomes the session',
    async (name) => {
      const planted = `${name}=${'a'.repeat(43)}`;
      const begun = await signIn(planted);
      expect(begun).not.toContain('a'.repeat(43));
      expect((await me({ Cookie: planted })).status).toBe(401);
      expect((await me({ Cookie: begun })).status).toBe(200);
    },
  );

  test('stays the session of whoever planted it', async () => {
    const nobody = await sessionWith(gateway, await filled.keyWith([]));
    const begun = await signIn(nobody['Cookie'] ?? '');
    expect(begun).not.toBe(nobody['Cookie']);
    const planted = (await (await me(cookieOf(nobody))).json()) as { permissions: string[] };
    expect(planted.permissions).toEqual([]);
  });

  test('opens nothing under the name of another connection', async () => {
    const token = (session['Cookie'] ?? '').split('=')[1];
    await gateway.set({
      SERVICE_ALLOW_INSECURE_HTTP_SESSIONS: true,
      PUBLIC_API_URL: 'https://fax.example.com',
    });
    expect((await me(cookieOf(session))).status).toBe(200);
    for (const name of ['faxdesk_session', '__Host-faxdesk_session'])
      expect([name, (await me({ Cookie: `${name}=${token}` })).status]).toEqual([name, 401]);
    await gateway.set({ SERVICE_ALLOW_INSECURE_HTTP_SESSIONS: null, PUBLIC_API_URL: null });
  });
});

describe('a credential that is sent twice', () => {
  /** Status of a request with these header lines. */
  async function statusOf(lines: string[], method = 'GET', path = '/auth/me'): Promise<number> {
    const connection = await RawConnection.open(gateway.url);
    try {
      await connection.send([`${method} ${path} HTTP/1.1`, 'Host: gateway', ...lines, '', ''].join('\r\n'));
      return (await connection.answer()).status;
    } finally {
      connection.close();
    }
  }

  test('opens nothing, in whichever order a good and a bad key come', async () => {
    const [good, bad] = [`X-API-Key: ${key}`, 'X-API-Key: key_live_unknown_secret'];
    expect(await statusOf([good])).toBe(200);
    for (const lines of [
      [good, bad],
      [bad, good],
      [good, good],
    ])
      expect(await statusOf(lines)).toBe(401);
    expect(await statusOf([bad, `Cookie: ${session['Cookie']}`])).toBe(401);
  });

  test('as a cookie is the first one and no other', async () => {
    const ended = filled.ended['a session that signed out']['Cookie'];
    const [good, bad] = [`Cookie: ${session['Cookie']}`, `Cookie: ${ended}`];
    expect(await statusOf([good, bad])).toBe(200);
    expect(await statusOf([bad, good])).toBe(401);
  });

  test('as a CSRF token or an origin is not right', async () => {
    const { Cookie, Origin } = session;
    const token = session['X-CSRF-Token'];
    const change = (lines: string[]) =>
      statusOf([`Cookie: ${Cookie}`, 'Content-Length: 0', ...lines], 'POST', '/admin/settings/persist');
    expect(await change([`X-CSRF-Token: ${token}`, `Origin: ${Origin}`])).toBe(200);
    expect(await change([`X-CSRF-Token: ${token}`, 'X-CSRF-Token: other', `Origin: ${Origin}`])).toBe(403);
    expect(await change([`X-CSRF-Token: ${token}`, `Origin: ${Origin}`, 'Origin: https://a.example'])).toBe(
      403,
    );
  });
});

test('guessing a password goes on where it was after a restart', async () => {
  let guessed = await startTestGateway();
  try {
    await enrolMara(guessed.url, INSTALLATION_KEY);
    guessed.clock.advance(900 * SECOND);
    const { login } = MARA;
    const attempt = async (password: string) => {
      const headers = { Origin: guessed.url };
      const json = { login, password };
      return (await guessed.request('POST', '/auth/login', { key: null, json, headers })).status;
    };
    for (const guess of ['one', 'two', 'three', 'four', 'five']) expect(await attempt(guess)).toBe(401);
    expect(await attempt(MARA.password)).toBe(429);
    guessed = await guessed.restart();
    expect(await attempt(MARA.password)).toBe(429);
    guessed.clock.advance(12 * SECOND);
    expect([await attempt('six'), await attempt(MARA.password)]).toEqual([401, 429]);
    guessed.clock.advance(12 * SECOND);
    expect(await attempt(MARA.password)).toBe(200);
  } finally {
    await guessed.close();
  }
});
