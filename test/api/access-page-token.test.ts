import { afterAll, beforeAll, expect, it } from 'vitest';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';

const PAGE = 'a-page-of-the-console'.padEnd(43, '-');
const OTHER = 'a-page-of-another-program'.padEnd(43, '-');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function signIn(headers: Record<string, string>, apiKey = INSTALLATION_KEY): Promise<Response> {
  // More sign-ins in a shorter time are refused as guessing.
  gateway.clock.advance(15 * SECOND);
  return await fetch(`${gateway.url}/auth/key-login`, {
    method: 'POST',
    headers: { Origin: gateway.url, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ api_key: apiKey }),
  });
}

/** Signs in and returns the cookie of the session, which is bound to the page token. */
async function cookieFor(pageToken: string | null, apiKey?: string): Promise<string> {
  const answer = await signIn(pageToken === null ? {} : { 'X-Page-Token': pageToken }, apiKey);
  expect(answer.status).toBe(200);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const get = (path: string, cookie: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers: { Cookie: cookie, ...headers } });

async function readMe(cookie: string, pageToken: string) {
  const answer = await get('/auth/me', cookie, { 'X-Page-Token': pageToken });
  return (await answer.json()) as { csrf_token: string; address_token: string | null };
}

it('binds a session to the pages it began on, for every request', async () => {
  const cookie = await cookieFor(PAGE);
  expect((await get('/auth/me', cookie, { 'X-Page-Token': PAGE })).status).toBe(200);
  for (const headers of [{}, { 'X-Page-Token': OTHER }, { 'X-Page-Token': '' }]) {
    const answer = await get('/auth/me', cookie, headers as Record<string, string>);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('X-Error-Code')).toBe('other_page');
  }
  const { csrf_token } = await readMe(cookie, PAGE);
  const change = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/auth/logout`, {
      method: 'POST',
      headers: { Origin: gateway.url, Cookie: cookie, 'X-CSRF-Token': csrf_token, ...headers },
    });
  expect((await change({})).status).toBe(401);
  expect((await change({ 'X-Page-Token': PAGE })).status).toBe(200);
});

it('opens bytes by the token for addresses, and nothing else by it', async () => {
  const cookie = await cookieFor(PAGE);
  const { address_token } = await readMe(cookie, PAGE);
  expect(address_token).toMatch(/^[\w-]{43}$/u);
  const named = `page_token=${address_token}`;
  expect((await get(`/console/logs/file?${named}`, cookie)).status).toBe(200);
  expect((await get(`/console/logs/file?page_token=${PAGE}`, cookie)).status).toBe(401);
  expect((await get(`/console/logs/file?${named}&${named}`, cookie)).status).toBe(401);
  expect((await get(`/console/logs/file?${named}`, '')).status).toBe(401);
  expect((await get(`/auth/me?${named}`, cookie)).status).toBe(401);
  // A token that is presented as a header is not mended by the address.
  expect((await get(`/console/logs/file?${named}`, cookie, { 'X-Page-Token': OTHER })).status).toBe(401);
});

it('gives two sessions of the same pages tokens of their own', async () => {
  const [first, second] = [await cookieFor(PAGE), await cookieFor(PAGE)];
  const [mine, theirs] = [await readMe(first, PAGE), await readMe(second, PAGE)];
  expect(mine.address_token).not.toBe(theirs.address_token);
  expect(mine.csrf_token).not.toBe(theirs.csrf_token);
  expect((await get(`/console/logs/file?page_token=${theirs.address_token}`, first)).status).toBe(401);
});

it('leaves a session that began without a token as it is', async () => {
  const cookie = await cookieFor(null);
  const answer = await get('/auth/me', cookie);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ address_token: null });
});

it('refuses a sign-in with a token of a wrong form, so that it never begins unbound', async () => {
  for (const token of ['short', 'x'.repeat(44), `${'x'.repeat(42)}!`]) {
    const answer = await signIn({ 'X-Page-Token': token });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      detail: 'The header X-Page-Token must be 43 characters of base64url.',
    });
  }
});

async function viewerKey(): Promise<string> {
  const json = { name: 'Viewer', scopes: ['fax:read'] };
  const made = await gateway.request('POST', '/admin/api-keys', { json });
  return ((await made.json()) as { token: string }).token;
}

it('survives a restart', async () => {
  // Sessions of the installation key end with the gateway.
  const cookie = await cookieFor(PAGE, await viewerKey());
  const port = Number(new URL(gateway.url).port);
  gateway = await gateway.restart({ port });
  expect((await get('/auth/me', cookie)).headers.get('X-Error-Code')).toBe('other_page');
  expect((await get('/auth/me', cookie, { 'X-Page-Token': PAGE })).status).toBe(200);
});

it('gives the key for drafts to who is signed in, the same in each session of a person', async () => {
  const [first, second] = [await cookieFor(PAGE), await cookieFor(OTHER)];
  const keyOf = async (cookie: string, token: string) =>
    ((await (await get('/console/draft-key', cookie, { 'X-Page-Token': token })).json()) as { key: string })
      .key;
  const key = await keyOf(first, PAGE);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  expect(await keyOf(second, OTHER)).toBe(key);
  const theirs = await fetch(`${gateway.url}/console/draft-key`, {
    headers: { 'X-API-Key': await viewerKey() },
  });
  expect(((await theirs.json()) as { key: string }).key).not.toBe(key);
});
