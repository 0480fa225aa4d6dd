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

/** Texts that must never appear in a log, by the name that a failure reports. */
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

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { PUBLIC_API_URL: PUBLIC, AUDIT_LOG_ENABLED: 'true', CLOUDONE_API_SECRET: '' },
  });
  await gateway.set({ CLOUDONE_API_SECRET: 'emulator-secret' });
  await sendAndDeliver();
  await fail();
  await beRefused();
  await signIn();
  await changeSettings();
  await gateway.processAll();
});
afterAll(() => gateway.close());

const form = { to: '(202) 555-0123' };
const send = async () => {
  const response = await gateway.sendForm(form, [textFile(TEXT, 'Mustermann.txt')]);
  return ((await response.json()) as { id: string }).id;
};

/** A fax from acceptance to delivery, with its link, its report and a signed callback. */
async function sendAndDeliver(): Promise<void> {
  const id = await send();
  await gateway.processAll();
  const fax = await gateway.fax(id);
  const link = gateway.emulator.calls
    .flatMap(({ fields }) => fields ?? [])
    .find(([, value]) => /token=/u.test(value));
  if (link) {
    secrets.set('the token of the link', new URL(link[1]).searchParams.get('token') ?? 'none');
    const { pathname, search } = new URL(link[1]);
    await (await gateway.request('GET', pathname + search, { key: null })).arrayBuffer();
  }
  for (const path of ['document', 'report', 'history', 'pdf?token=wrong-token-5512'])
    await (await gateway.request('GET', `/fax/${id}/${path}`)).arrayBuffer();
  secrets.set('a wrong token', 'wrong-token-5512');
  gateway.emulator.complete(String(fax.provider_sid));
  const path = `/cloudone-callback?job_id=${id}&attempt_id=${fax.attempt?.id}`;
  const callback = { url: gateway.url + path, signedUrl: PUBLIC + path };
  await gateway.emulator.sendCallback(String(fax.provider_sid), { ...callback, tamper: 'signature' });
  await gateway.emulator.sendCallback(String(fax.provider_sid), callback);
  expect((await gateway.fax(id)).delivery_state).toBe('success');
}

/** Sends one fax for each fault of the provider. */
async function fail(): Promise<void> {
  for (const fault of ['refused', 'unauthorized', 'server-error', 'garbage', 'dropped'] as const) {
    gateway.emulator.setFault({ kind: fault, method: 'POST' });
    await send();
    await gateway.processAll();
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
  }
  gateway.emulator.clearFaults();
}

async function beRefused(): Promise<void> {
  secrets.set('a wrong key', 'a-wrong-key-8812');
  secrets.set('an unfinished body', 'half-a-body-7741');
  await gateway.request('GET', '/fax', { key: 'a-wrong-key-8812' });
  await gateway.request('GET', '/fax?to=%2B12025550123&q=Mustermann');
  await gateway.request('GET', '/fax/Mustermann');
  await gateway.sendForm({ to: '(202) 555-0123', Mustermann: TEXT }, [textFile(TEXT)]);
  await gateway.sendForm(form, [new File([`%PDF-1.7 ${TEXT}`], 'Mustermann.pdf')]);
  const headers = { 'Content-Type': 'application/json' };
  await gateway.request('POST', '/admin/api-keys', { form: '{"note":"half-a-body-7741' as never, headers });
  await gateway.request('POST', '/admin/api-keys', { json: { Mustermann: TEXT } });
}

/** The first owner, a password and a key, each with its cookie. */
async function signIn(): Promise<void> {
  const origin = { Origin: gateway.url };
  const me = (await (await gateway.request('GET', '/auth/me')).json()) as { policy_version: number };
  const enrolled = await gateway.request('POST', '/auth/owner/enroll', {
    json: { login: 'owner', display_name: 'Owner', expected_policy_version: me.policy_version },
  });
  const { temporary_password } = (await enrolled.json()) as { temporary_password: string };
  secrets.set('the temporary password', temporary_password);
  const login = async (json: Record<string, string>, path = '/auth/login') => {
    const response = await gateway.request('POST', path, { key: null, json, headers: origin });
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    if (cookie) secrets.set(`the cookie of ${path}`, cookie.split('=')[1] ?? 'none');
    return cookie;
  };
  await login({ login: 'owner', password: `wrong ${PASSWORD}` });
  const cookie = await login({ login: 'owner', password: temporary_password });
  const own = await gateway.request('GET', '/auth/me', { key: null, headers: { Cookie: cookie } });
  const { csrf_token } = (await own.json()) as { csrf_token: string };
  secrets.set('the CSRF token', csrf_token);
  const changed = await gateway.request('POST', '/auth/password', {
    key: null,
    json: { current_password: temporary_password, password: PASSWORD },
    headers: { ...origin, Cookie: cookie, 'X-CSRF-Token': csrf_token },
  });
  expect(changed.status).toBe(200);
  const made = await gateway.request('POST', '/admin/api-keys', { json: { name: 'A key' } });
  const { token } = (await made.json()) as { token: string };
  secrets.set('a key', token.split('_').slice(3).join('_'));
  await gateway.request('GET', '/fax', { key: token });
  await login({ api_key: token }, '/auth/key-login');
}

async function changeSettings(): Promise<void> {
  await gateway.set({ CLOUDONE_API_SECRET: PROVIDER_SECRET, FAX_NUMBER: '+12025550100' });
  await gateway.request('PUT', '/admin/settings', {
    json: { changes: { CLOUDONE_API_SECRET: 5, X: PROVIDER_SECRET } },
  });
  const settings = { CLOUDONE_API_KEY: 'x', CLOUDONE_API_SECRET: PROVIDER_SECRET };
  await gateway.request('POST', '/admin/settings/validate', { json: { provider: 'cloudone', settings } });
  await gateway.request('POST', '/admin/settings/persist');
  await send();
  await gateway.processAll();
  gateway.clock.advance(10 * MINUTE);
}

describe('the log of a whole life of faxes', () => {
  test('is JSON lines with level, time and logger', () => {
    expect(gateway.logLines.length).toBeGreaterThan(50);
    const loggers = new Set<string>();
    for (const line of gateway.logLines) {
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
    const lines = gateway.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const http = lines.filter(({ logger }) => logger === 'gateway:http');
    expect(http.length).toBeGreaterThan(30);
    for (const line of http)
      expect(line).toMatchObject({ request_id: expect.stringMatching(/^[\w.:-]{1,64}$/u) });
  });

  test('has route patterns, never addresses', () => {
    const lines = gateway.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const routes = new Set(lines.map(({ route }) => route).filter((route) => route !== undefined));
    expect([...routes]).toEqual(
      expect.arrayContaining(['/fax', '/fax/:id', '/fax/:id/pdf', '/cloudone-callback']),
    );
    for (const route of routes) expect(route).not.toMatch(/\?|[0-9a-f]{8}-/u);
  });

  test('rule (installation): logs hold no document, number, key, token, password or cookie', () => {
    expect(secrets.size).toBeGreaterThanOrEqual(18);
    const all = gateway.logLines.join('');
    const found = [...secrets].filter(([, secret]) => all.includes(secret)).map(([name]) => name);
    expect(found).toEqual([]);
    expect([...secrets.values()].filter((secret) => secret.length < 6)).toEqual([]);
  });

  test('says nothing as an error that was only a refusal', () => {
    const errors = gateway.logLines.filter(
      (line) => line.includes('"level":"error"') && line.includes('gateway:http'),
    );
    expect(errors).toEqual([]);
  });
});
