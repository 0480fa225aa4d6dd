import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import {
  certificateAt,
  downloadRoot,
  parsePort,
  readHttpsStatus,
  requestOverHttps,
} from '../setup/https-client.ts';
import { DAY, ManualClock } from '../setup/manual-clock.ts';

const ON = { HTTPS_ENABLED: 'true', HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' };

let gateway: TestGateway;
/** Whoever connects looks at the computer's own clock. */
let nowMs: number;
beforeEach(() => {
  nowMs = systemClock.now();
});
afterEach(() => gateway.close());

async function start(settings: Record<string, string> = {}): Promise<void> {
  const clock = new ManualClock(new Date(nowMs).toISOString());
  gateway = await startTestGateway({ clock, settings: { ...ON, ...settings } });
}

async function openHttps(): Promise<{ url: string; root: string; port: number }> {
  const [address = ''] = (await readHttpsStatus(gateway)).addresses;
  const port = parsePort(address);
  return { url: `https://127.0.0.1:${port}`, root: await downloadRoot(gateway), port };
}

const keyLogin = (url: string, root: string, origin = url) =>
  requestOverHttps(`${url}/auth/key-login`, {
    root,
    method: 'POST',
    headers: { Origin: origin },
    json: { api_key: INSTALLATION_KEY },
  });

const cookieOf = (cookies: readonly string[]) => cookies[0]?.split(';')[0] ?? '';

const warnings = async (): Promise<string[]> =>
  ((await (await gateway.request('GET', '/health/ready', { key: null })).json()) as { warnings: string[] })
    .warnings;

describe('with an authority of its own', () => {
  test('a client that trusts its root alone signs in with a cookie for HTTPS', async () => {
    await start();
    const { url, root } = await openHttps();
    const signedIn = await keyLogin(url, root);
    expect(signedIn.status).toBe(200);
    expect(signedIn.cookies[0]).toMatch(/^__Host-faxdesk_session=.*; Secure; SameSite=Strict$/u);
    const headers = { Cookie: cookieOf(signedIn.cookies) };
    const me = await requestOverHttps(`${url}/auth/me`, { root, headers });
    expect([me.status, me.body.principal.kind]).toEqual([200, 'bootstrap']);
  });

  test('a name it does not have is refused by the client, and its own pages alone may sign in', async () => {
    await start({ HTTPS_NAMES: 'fax.office.example' });
    const { url, root, port } = await openHttps();
    const health = (host: string) => requestOverHttps(`${url}/health`, { root, host });
    await expect(health('other.office.example')).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect((await health('fax.office.example')).status).toBe(200);
    expect((await keyLogin(url, root, `https://fax.office.example:${port}`)).status).toBe(200);
    expect((await keyLogin(url, root, 'https://fax.office.example')).status).toBe(403);
    expect((await keyLogin(url, root, `http://127.0.0.1:${new URL(gateway.url).port}`)).status).toBe(403);
    const plainly = await gateway.request('POST', '/auth/key-login', {
      key: null,
      headers: { Origin: url },
      json: { api_key: INSTALLATION_KEY },
    });
    expect(plainly.status).toBe(403);
  });

  test('a cookie of HTTP is none over HTTPS, and the reverse', async () => {
    await start({ SERVICE_ALLOW_INSECURE_HTTP_SESSIONS: 'true' });
    const { url, root } = await openHttps();
    const secure = cookieOf((await keyLogin(url, root)).cookies);
    const local = await gateway.request('POST', '/auth/key-login', {
      key: null,
      headers: { Origin: gateway.url },
      json: { api_key: INSTALLATION_KEY },
    });
    const near = cookieOf(local.headers.getSetCookie());
    const token = near.split('=')[1] ?? '';
    const asked = async (Cookie: string) => [
      (await requestOverHttps(`${url}/auth/me`, { root, headers: { Cookie } })).status,
      (await gateway.request('GET', '/auth/me', { key: null, headers: { Cookie } })).status,
    ];
    expect(near).toMatch(/^faxdesk_local_session=/u);
    expect(await asked(secure)).toEqual([200, 401]);
    expect(await asked(near)).toEqual([401, 200]);
    for (const name of ['faxdesk_session', '__Host-faxdesk_session'])
      expect([name, ...(await asked(`${name}=${token}`))]).toEqual([name, 401, 401]);
  });

  test('its root is an authority, named after the organization, and sealed in a folder of its own', async () => {
    await start();
    const { certificate, root, source } = await readHttpsStatus(gateway);
    const pem = new X509Certificate(await downloadRoot(gateway));
    expect(source).toBe('own');
    expect(root.name).toMatch(/^Faxdesk Example Clinic [A-Z0-9]{6}$/u);
    expect([pem.ca, pem.fingerprint256, pem.subject]).toEqual([true, root.fingerprint, `CN=${root.name}`]);
    expect(certificate.names).toEqual(expect.arrayContaining(['localhost', '127.0.0.1', '::1']));
    const folder = join(gateway.dataFolder, 'https');
    const files = (await readdir(folder)).sort();
    expect(files).toEqual(['root.sealed', 'server.sealed']);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const file of files) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
      const text = await readFile(join(folder, file), 'utf8');
      expect(text).toMatch(/^v1\.[\w-]+\.[\w-]+\n$/u);
    }
    expect(gateway.logLines.join('')).not.toContain('PRIVATE KEY');
  });

  test('its certificate is renewed 30 days before the end, without a restart, by the same root', async () => {
    await start();
    const { port } = await openHttps();
    const first = await readHttpsStatus(gateway);
    expect(Date.parse(first.certificate.valid_until) - gateway.clock.now()).toBeGreaterThan(89 * DAY);
    gateway.clock.advance(59 * DAY);
    expect((await readHttpsStatus(gateway)).certificate).toEqual(first.certificate);
    gateway.clock.advance(2 * DAY);
    const second = await readHttpsStatus(gateway);
    expect(second.root).toEqual(first.root);
    expect(second.certificate.fingerprint).not.toBe(first.certificate.fingerprint);
    const shown = await certificateAt(port);
    expect(shown.fingerprint256).toBe(second.certificate.fingerprint);
    const root = new X509Certificate(await downloadRoot(gateway));
    expect(new X509Certificate(shown.raw).verify(root.publicKey)).toBe(true);
    gateway = await gateway.restart();
    expect((await readHttpsStatus(gateway)).certificate).toEqual(second.certificate);
  });

  test('a new name is in a new certificate at once', async () => {
    await start();
    const { url, root } = await openHttps();
    await gateway.set({ HTTPS_NAMES: ['fax.office.example'] });
    const state = await readHttpsStatus(gateway);
    expect(state.certificate.names[0]).toBe('fax.office.example');
    expect(state.addresses[0]).toBe(url.replace('127.0.0.1', 'fax.office.example'));
    expect((await requestOverHttps(`${url}/health`, { root, host: 'fax.office.example' })).status).toBe(200);
  });

  test('nothing older than TLS 1.2 is accepted, and browsers learn nothing about other services', async () => {
    await start();
    const { url, root, port } = await openHttps();
    await expect(certificateAt(port, { maxVersion: 'TLSv1.1' })).rejects.toThrow(/version/iu);
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    const health = await fetch(`${gateway.url}/health`);
    expect(health.headers.get('strict-transport-security')).toBeNull();
    expect((await requestOverHttps(`${url}/health`, { root })).status).toBe(200);
  });

  test('certificates that another data key sealed are left alone, with a sentence', async () => {
    await start({ HTTPS_ENABLED: 'false' });
    const folder = join(gateway.dataFolder, 'https');
    await mkdir(folder);
    await writeFile(join(folder, 'root.sealed'), 'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAA\n');
    await gateway.set({ HTTPS_ENABLED: true });
    const state = await readHttpsStatus(gateway);
    expect(state.problem).toContain('cannot be opened with the data key');
    expect(state.addresses).toEqual([]);
    await rm(folder, { recursive: true });
    expect((await readHttpsStatus(gateway)).problem).toBeNull();
  });

  test('devices that pair receive its address while it is open', async () => {
    await start();
    const { url } = await openHttps();
    const pair = async () => {
      const { code } = (await (await gateway.request('POST', '/admin/tunnel/pair')).json()) as {
        code: string;
      };
      const answer = await gateway.request('POST', '/mobile/pair', { key: null, json: { code } });
      return ((await answer.json()) as { base_urls: { local: string } }).base_urls.local;
    };
    expect(await pair()).toBe(url);
    await gateway.set({ HTTPS_ENABLED: false });
    await gateway.processAll();
    expect(await pair()).toBe(gateway.url);
  });
});

describe('with a certificate in files', () => {
  let files: { HTTPS_CERTIFICATE_FILE: string; HTTPS_KEY_FILE: string };

  /** Starts with certificate files issued by a root of the administrator, and returns that root. */
  async function startWithFiles(): Promise<{ root: string; port: number }> {
    await start({ HTTPS_ENABLED: 'false' });
    files = {
      HTTPS_CERTIFICATE_FILE: join(gateway.dataFolder, 'fax.crt'),
      HTTPS_KEY_FILE: join(gateway.dataFolder, 'fax.key'),
    };
    const root = await replaceFiles();
    await gateway.set({ HTTPS_ENABLED: true, ...files });
    const { addresses } = await readHttpsStatus(gateway);
    return { root, port: parsePort(addresses[0]) };
  }

  async function replaceFiles(): Promise<string> {
    const root = await issueRoot('Office authority', nowMs);
    const { certificate, key } = await issueServer(root, ['fax.office.example'], nowMs);
    await writeFile(files.HTTPS_CERTIFICATE_FILE, certificate);
    await writeFile(files.HTTPS_KEY_FILE, key);
    return root.certificate;
  }

  const health = (port: number, root: string) =>
    requestOverHttps(`https://127.0.0.1:${port}/health`, { root, host: 'fax.office.example' });

  test('it is shown, replaced when the files are, and there is no root to install', async () => {
    const { root, port } = await startWithFiles();
    const state = await readHttpsStatus(gateway);
    expect(state).toMatchObject({ source: 'files', root: null, problem: null });
    expect(state.addresses).toEqual([`https://fax.office.example:${port}`]);
    expect((await health(port, root)).status).toBe(200);
    expect((await gateway.request('GET', '/https/root.crt', { key: null })).status).toBe(404);
    const next = await replaceFiles();
    await gateway.processAll();
    expect((await health(port, next)).status).toBe(200);
    await expect(health(port, root)).rejects.toThrow();
  });

  test('bad files are named in a sentence, and the last good certificate goes on', async () => {
    const { root, port } = await startWithFiles();
    const other = await issueServer(await issueRoot('Other', nowMs), ['fax.office.example'], nowMs);
    const good = await readFile(files.HTTPS_KEY_FILE, 'utf8');
    const problemAfter = async (write: () => Promise<unknown>): Promise<string> => {
      await write();
      const { problem, listening } = await readHttpsStatus(gateway);
      expect((await health(port, root)).status).toBe(200);
      expect(listening).toEqual({ host: '127.0.0.1', port });
      // The certificate ends long after the last backup.
      await gateway.makeBackup();
      expect(await warnings()).toEqual(problem === null ? [] : [problem]);
      return problem;
    };
    const goesOn = (reason: string) =>
      `Other computers still reach Faxdesk over HTTPS at port ${port}, but not with the current settings. ${reason}`;
    const { HTTPS_KEY_FILE: key, HTTPS_CERTIFICATE_FILE: certificate } = files;
    expect(await problemAfter(() => writeFile(key, other.key))).toContain(
      'does not belong to the certificate',
    );
    expect(await problemAfter(() => writeFile(key, 'a secret of somebody'))).toBe(
      goesOn(`The file ${key} has no usable key in PEM format.`),
    );
    expect(await problemAfter(() => rm(key))).toBe(goesOn(`There is no file ${key}.`));
    expect(await problemAfter(() => gateway.set({ HTTPS_KEY_FILE: null }))).toBe(
      goesOn('Set both HTTPS_CERTIFICATE_FILE and HTTPS_KEY_FILE, or neither.'),
    );
    if (process.platform !== 'win32') {
      // One has no end, the other no writer.
      const pipe = join(gateway.dataFolder, 'pipe.key');
      execFileSync('mkfifo', [pipe]);
      for (const file of ['/dev/zero', pipe, '/dev'])
        expect(await problemAfter(() => gateway.set({ HTTPS_KEY_FILE: file }))).toBe(
          goesOn(`The file ${file} cannot be read.`),
        );
    }
    await writeFile(key, good);
    expect(await problemAfter(() => gateway.set({ HTTPS_KEY_FILE: key }))).toBeNull();
    gateway.clock.advance(91 * DAY);
    expect(await problemAfter(async () => undefined)).toMatch(
      new RegExp(`The certificate in ${certificate} expired on \\d{4}-\\d\\d-\\d\\d\\.$`, 'u'),
    );
    expect(gateway.logLines.join('')).not.toContain('a secret of somebody');
  });
});

test('a port that is taken is a sentence in the log and the status, and the gateway goes on', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const port = (taken.address() as { port: number }).port;
  await start({ HTTPS_PORT: String(port) });
  const sentence = `Other computers cannot reach Faxdesk over HTTPS. Another program uses port ${port}. Set another HTTPS_PORT.`;
  const statusOf = async () => (await gateway.request('GET', '/console/status')).json();
  const before = { https_problem: sentence, problems: [], warnings: [sentence] };
  expect(await statusOf()).toMatchObject(before);
  expect((await gateway.request('GET', '/health/ready', { key: null })).status).toBe(200);
  expect(await warnings()).toEqual([sentence]);
  expect(await readHttpsStatus(gateway)).toMatchObject({ listening: null, addresses: [], certificate: null });
  await gateway.processAll();
  expect(gateway.logLines.filter((line) => line.includes(sentence))).toHaveLength(1);
  await new Promise((resolve) => taken.close(resolve));
  const { problem, addresses } = await readHttpsStatus(gateway);
  expect([problem, addresses]).toEqual([null, [`https://127.0.0.1:${port}`]]);
  expect(await statusOf()).toMatchObject({ https_problem: null, warnings: [] });
});

test('it is off until it is switched on, and off again at once', async () => {
  await start({ HTTPS_ENABLED: 'false' });
  const off = {
    source: 'off',
    listening: null,
    announced: null,
    words: null,
    addresses: [],
    certificate: null,
    root: null,
    problem: null,
  };
  expect(await readHttpsStatus(gateway)).toEqual(off);
  expect(await readdir(gateway.dataFolder)).not.toContain('https');
  await gateway.set({ HTTPS_ENABLED: true });
  const { port } = await openHttps();
  expect((await certificateAt(port)).fingerprint256).toBe(
    (await readHttpsStatus(gateway)).certificate.fingerprint,
  );
  await gateway.set({ HTTPS_ENABLED: false });
  expect(await readHttpsStatus(gateway)).toEqual(off);
  await expect(certificateAt(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
