import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CALLBACK_TOKEN,
  INSTALLATION_KEY,
  startTestGateway,
  type TestGateway,
  textFile,
} from '../setup/gateway.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';

const PUBLIC = 'https://fax.example.com';
const TEXT = 'Diagnosis: acute appendicitis of Erika Mustermann';
const PASSWORD = 'seven brown horses and a dog';
const PROVIDER_SECRET = 'a-new-provider-secret-9314';

/** What must never stand in a log, with the word a failure is reported by. */
const secrets = new Map<string, string>([
  ['the document', 'appendicitis'],
  ['the name in the document', 'Mustermann'],
  ['the number', '2025550123'],
  ['the number as it was written', '(202) 555-0123'],
  ['the own number', '2025550100'],
  ['the installation key', INSTALLATION_KEY],
  ['the callback token', CALLBACK_TOKEN],
  ['the secret of the provider', 'emulator-secret'],
  ['the new secret of the provider', PROVIDER_SECRET],
  ['the password', PASSWORD],
]);

let desk: TestGateway;
beforeAll(async () => {
  desk = await startTestGateway({
    settings: { PUBLIC_API_URL: PUBLIC, AUDIT_LOG_ENABLED: 'true', CLOUDONE_API_SECRET: '' },
  });
  await desk.set({ CLOUDONE_API_SECRET: 'emulator-secret' });
  await sendAndDeliver();
  await fail();
  await beRefused();
  await signIn();
  await changeSettings();
  await desk.gateway.processAll();
});
afterAll(() => desk.close());

const form = { to: '(202) 555-0123' };
const send = async () => {
  const response = await desk.sendForm(form, [textFile(TEXT, 'Mustermann.txt')]);
  return ((await response.json()) as { id: string }).id;
};

/** A fax from acceptance to delivery, with its link, its report and a signed callback. */
async function sendAndDeliver(): Promise<void> {
  const id = await send();
  await desk.gateway.processAll();
  const fax = await desk.fax(id);
  const link = desk.emulator.calls
    .flatMap(({ fields }) => fields ?? [])
    .find(([, value]) => /token=/u.test(value));
  if (link) {
    secrets.set('the token of the link', new URL(link[1]).searchParams.get('token') ?? 'none');
    const { pathname, search } = new URL(link[1]);
    await (await desk.request('GET', pathname + search, { key: null })).arrayBuffer();
  }
  for (const path of ['document', 'report', 'history', 'pdf?token=wrong-token-5512'])
    await (await desk.request('GET', `/fax/${id}/${path}`)).arrayBuffer();
  secrets.set('a wrong token', 'wrong-token-5512');
  desk.emulator.complete(String(fax.provider_sid));
  const path = `/cloudone-callback?job_id=${id}&attempt_id=${fax.attempt?.id}`;
  const callback = { url: desk.url + path, signedUrl: PUBLIC + path };
  await desk.emulator.sendCallback(String(fax.provider_sid), { ...callback, tamper: 'signature' });
  await desk.emulator.sendCallback(String(fax.provider_sid), callback);
  expect((await desk.fax(id)).delivery_state).toBe('success');
}

/** What the provider may do wrong. */
async function fail(): Promise<void> {
  for (const fault of ['refused', 'unauthorized', 'server-error', 'garbage', 'dropped'] as const) {
    desk.emulator.setFault({ kind: fault, method: 'POST' });
    await send();
    await desk.gateway.processAll();
    desk.clock.advance(30 * SECOND);
    await desk.gateway.processAll();
  }
  desk.emulator.clearFaults();
}

async function beRefused(): Promise<void> {
  secrets.set('a wrong key', 'a-wrong-key-8812');
  secrets.set('an unfinished body', 'half-a-body-7741');
  await desk.request('GET', '/fax', { key: 'a-wrong-key-8812' });
  await desk.request('GET', '/fax?to=%2B12025550123&q=Mustermann');
  await desk.request('GET', '/fax/Mustermann');
  await desk.sendForm({ to: '(202) 555-0123', Mustermann: TEXT }, [textFile(TEXT)]);
  await desk.sendForm(form, [new File([`%PDF-1.7 ${TEXT}`], 'Mustermann.pdf')]);
  const headers = { 'Content-Type': 'application/json' };
  await desk.request('POST', '/admin/api-keys', { form: '{"note":"half-a-body-7741' as never, headers });
  await desk.request('POST', '/admin/api-keys', { json: { Mustermann: TEXT } });
}

/** The first owner, a password and a key, each with its cookie. */
async function signIn(): Promise<void> {
  const origin = { Origin: desk.url };
  const me = (await (await desk.request('GET', '/auth/me')).json()) as { policy_version: number };
  const enrolled = await desk.request('POST', '/auth/owner/enroll', {
    json: { login: 'owner', display_name: 'Owner', expected_policy_version: me.policy_version },
  });
  const { temporary_password } = (await enrolled.json()) as { temporary_password: string };
  secrets.set('the temporary password', temporary_password);
  const login = async (json: Record<string, string>, path = '/auth/login') => {
    const response = await desk.request('POST', path, { key: null, json, headers: origin });
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    if (cookie) secrets.set(`the cookie of ${path}`, cookie.split('=')[1] ?? 'none');
    return cookie;
  };
  await login({ login: 'owner', password: `wrong ${PASSWORD}` });
  const cookie = await login({ login: 'owner', password: temporary_password });
  const own = await desk.request('GET', '/auth/me', { key: null, headers: { Cookie: cookie } });
  const { csrf_token } = (await own.json()) as { csrf_token: string };
  secrets.set('the CSRF token', csrf_token);
  const changed = await desk.request('POST', '/auth/password', {
    key: null,
    json: { current_password: temporary_password, password: PASSWORD },
    headers: { ...origin, Cookie: cookie, 'X-CSRF-Token': csrf_token },
  });
  expect(changed.status).toBe(200);
  const made = await desk.request('POST', '/admin/api-keys', { json: { name: 'A key' } });
  const { token } = (await made.json()) as { token: string };
  secrets.set('a key', token.split('_').slice(3).join('_'));
  await desk.request('GET', '/fax', { key: token });
  await login({ api_key: token }, '/auth/key-login');
}

async function changeSettings(): Promise<void> {
  await desk.set({ CLOUDONE_API_SECRET: PROVIDER_SECRET, FAX_NUMBER: '+12025550100' });
  await desk.request('PUT', '/admin/settings', {
    json: { changes: { CLOUDONE_API_SECRET: 5, X: PROVIDER_SECRET } },
  });
  const settings = { CLOUDONE_API_KEY: 'x', CLOUDONE_API_SECRET: PROVIDER_SECRET };
  await desk.request('POST', '/admin/settings/validate', { json: { provider: 'cloudone', settings } });
  await desk.request('POST', '/admin/settings/persist');
  await send();
  await desk.gateway.processAll();
  desk.clock.advance(10 * MINUTE);
}

describe('the log of a whole life of faxes', () => {
  test('is JSON lines with level, time and logger', () => {
    expect(desk.logLines.length).toBeGreaterThan(50);
    const loggers = new Set<string>();
    for (const line of desk.logLines) {
      const fact = JSON.parse(line) as Record<string, unknown>;
      expect(line.trimEnd()).not.toContain('\n');
      expect(fact).toMatchObject({
        level: expect.stringMatching(/^(?:debug|info|warn|error|fatal)$/u),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
        msg: expect.any(String),
      });
      loggers.add(String(fact['logger'] ?? fact['msg']));
    }
    expect([...loggers].filter((name) => !name.startsWith('gateway:'))).toEqual([]);
  });

  test('names the request in every line of a request', () => {
    const lines = desk.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const http = lines.filter(({ logger }) => logger === 'gateway:http');
    expect(http.length).toBeGreaterThan(30);
    for (const line of http)
      expect(line).toMatchObject({ request_id: expect.stringMatching(/^[\w.:-]{1,64}$/u) });
  });

  test('has route patterns, never addresses', () => {
    const lines = desk.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const routes = new Set(lines.map(({ route }) => route).filter((route) => route !== undefined));
    expect([...routes]).toEqual(
      expect.arrayContaining(['/fax', '/fax/:id', '/fax/:id/pdf', '/cloudone-callback']),
    );
    for (const route of routes) expect(route).not.toMatch(/\?|[0-9a-f]{8}-/u);
  });

  test('holds no document, number, key, token, password or cookie', () => {
    expect(secrets.size).toBeGreaterThanOrEqual(18);
    const all = desk.logLines.join('');
    const found = [...secrets].filter(([, secret]) => all.includes(secret)).map(([name]) => name);
    expect(found).toEqual([]);
    expect([...secrets.values()].filter((secret) => secret.length < 6)).toEqual([]);
  });

  test('says nothing as an error that was only a refusal', () => {
    const errors = desk.logLines.filter(
      (line) => line.includes('"level":"error"') && line.includes('gateway:http'),
    );
    expect(errors).toEqual([]);
  });
});
