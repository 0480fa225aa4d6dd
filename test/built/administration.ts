import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { openArchive } from '../../server/features/archives/offline.ts';
import { makeIdentity, recipientOf } from '../../server/platform/age/keys.ts';
import { openAgeFile } from '../../server/platform/age/open-file.ts';
import { requestOverHttps } from '../setup/https-client.ts';
import { MARA } from '../setup/owner.ts';
import { SoftwareAuthenticator } from '../setup/software-authenticator.ts';
import { verify, WebhookReceiver } from '../setup/webhook-receiver.ts';
import type { Capability } from './capability.ts';
import { type Body, LETTER, type Office, waitFor, wholeAnswer } from './office.ts';

/** Capabilities beside sending and receiving, and who may use them. */
export const ADMINISTRATION: readonly Capability[] = [
  {
    name: 'the console, the pages of the routes and the numbers of a monitor are served',
    run: async (office) => {
      for (const path of ['/health/ready', '/openapi.json', '/docs', '/admin/ui/', '/metrics'])
        expect((await office.request('GET', path)).status, path).toBe(200);
    },
  },
  {
    name: 'the help and its pictures are served',
    run: async (office) => {
      const assets = new URL('../../out/console/assets/', import.meta.url);
      const names = (await readdir(assets)).filter((name) =>
        /^(?:help-screen-.+\.js|send-.+\.png)$/u.test(name),
      );
      expect(names).toHaveLength(2);
      for (const name of names)
        expect((await office.request('GET', `/admin/ui/assets/${name}`)).status, name).toBe(200);
    },
  },
  {
    name: 'the data key is replaced while everything else goes on, or the gateway says why it cannot be',
    run: async (office) => {
      const before = await office.requestJson('GET', '/console/data-key');
      // The desktop application has its key in the keychain.
      if (before.obstacle !== null) {
        const refused = await office.request('POST', '/console/data-key/replace', { json: {} });
        expect(refused.status).toBe(409);
        expect(await refused.json()).toMatchObject({ detail: before.obstacle });
        return;
      }
      const begun = await office.requestJson('POST', '/console/data-key/replace', { json: {} });
      expect(begun.fingerprint).not.toBe(before.fingerprint);
      // The last pass comes a minute later.
      await waitFor(async () => {
        const { replacement } = await office.requestJson('GET', '/console/data-key');
        if (replacement?.pass === 1) throw new Error(JSON.stringify(replacement));
      });
    },
  },
  {
    name: 'a preview shows texts, pictures and PDFs as pages',
    run: async (office) => {
      const form = new FormData();
      const words = new File(['Referral, Überweisung, 转诊\n'], 'words.txt', { type: 'text/plain' });
      for (const file of [words, new File([new Uint8Array(LETTER)], 'letter.pdf')]) form.append('file', file);
      const preview = await office.requestJson('POST', '/fax/preview', { form });
      expect(preview).toMatchObject({ pages: 2, complete: true, problem: null });
      const png = await office.bytes(`/fax/preview/${preview.preview_id}/1.png`);
      const picture = new FormData();
      picture.append('file', new File([new Uint8Array(png)], 'page.png'));
      expect(await office.requestJson('POST', '/fax/preview', { form: picture })).toMatchObject({ pages: 1 });
    },
  },
  {
    name: 'contacts are imported from a file',
    run: async (office) => {
      const form = new FormData();
      form.append('file', new File(['name,fax number\nDr. Lin,+12025550160\n'], 'contacts.csv'));
      expect(await office.requestJson('POST', '/contacts/import', { form })).toMatchObject({
        added: 1,
        problems: [],
      });
      const { items } = await office.requestJson('GET', '/contacts?q=Lin');
      expect(items).toMatchObject([{ fax_number: '+12025550160' }]);
    },
  },
  {
    name: 'a legal hold keeps faxes, and the archive of a past year is saved, verifies, and is removed',
    run: async (office) => {
      const json = { name: 'Smith v. Harbor Clinic', reason: 'Letter', number: '+12025550123' };
      const hold = await office.requestJson('POST', '/legal-holds', { json });
      const released = await office.requestJson('POST', `/legal-holds/${hold.id}/release`, {
        json: { version: hold.version },
      });
      expect(released).toMatchObject({ documents_due: 0, released_by: expect.any(String) });
      const path = join(office.gateway.dataFolder, 'faxdesk-2020.zip');
      await writeFile(path, await office.bytes('/archives/2020'));
      const archive = await openArchive(path);
      expect(archive.manifest).toMatchObject({ year: 2020, sent: 0, received: 0 });
      expect(await archive.verify()).toBe(0);
      await archive.close();
      const upload_id = 'ab'.repeat(16);
      const form = new FormData();
      form.append('piece', new File([new Uint8Array(await readFile(path))], 'piece'));
      await office.requestJson('POST', `/archive-uploads/${upload_id}?offset=0`, { form });
      const { id } = await office.requestJson('POST', '/archive-removals', {
        json: { upload_id, year: 2020 },
      });
      const at = `/archive-removals/${id}`;
      await waitFor(async () => expect((await office.requestJson('GET', at)).state).toBe('ready'));
      const { version } = await office.requestJson('GET', at);
      await office.requestJson('POST', `${at}/start`, { json: { version } });
      await waitFor(async () => expect((await office.requestJson('GET', at)).state).toBe('done'));
    },
  },
  {
    name: 'a rate card says what a fax will cost',
    run: async (office) => {
      const json = { backend: 'cloudone', currency: 'USD', per_page: '0.07', prefixes: ['+1'] };
      await office.requestJson('POST', '/routing/rate-cards', { json });
      const quote = await office.requestJson(
        'GET',
        `/routing/quote?to=${encodeURIComponent('+12025550123')}&pages=2`,
      );
      expect(JSON.stringify(quote)).toContain('0.14');
      expect((await office.bytes('/routing/costs/export')).toString()).toContain(',');
    },
  },
  {
    name: 'a person signs in with a second factor and a passkey',
    run: signInWithSecondFactor,
  },
  {
    name: 'a person runs a command in the console terminal',
    run: useTerminal,
  },
  {
    name: 'a phone is paired by a code',
    run: async (office) => {
      const { code } = await office.requestJson('POST', '/admin/tunnel/pair', {
        json: { device_name: 'Phone' },
      });
      const { token } = await office.requestJson('POST', '/mobile/pair', { key: null, json: { code } });
      const { principal } = await office.requestJson('GET', '/auth/me', { key: token });
      expect(principal.display_name).toBe('Device: Phone');
    },
  },
  {
    name: 'another computer that trusts the root reads over HTTPS',
    run: async (office) => {
      const address = await waitFor(async () => {
        const [first] = (await office.requestJson('GET', '/console/https')).addresses as string[];
        if (first === undefined) throw new Error('HTTPS is not served');
        return first;
      });
      const base64 = (await office.bytes('/https/root.crt')).toString('base64');
      const root = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
      const answer = await requestOverHttps(`https://127.0.0.1:${new URL(address).port}/health`, { root });
      expect(answer.status).toBe(200);
    },
  },
  {
    name: 'an event is sent to a webhook, signed',
    run: sendWebhook,
  },
  {
    name: 'a backup is made while the gateway runs, and is encrypted where there is a recipient',
    run: async (office) => {
      expect(await makeBackup(office)).toMatch(/\.zip$/u);
      await encryptBackup(office);
    },
  },
];

async function makeBackup(office: Office): Promise<string> {
  const { name } = await office.requestJson('POST', '/console/backups');
  await waitFor(async () =>
    expect(await office.requestJson('GET', `/console/backups/${name}`)).toMatchObject({ state: 'done' }),
  );
  return join(office.gateway.dataFolder, 'backups', name);
}

async function encryptBackup(office: Office): Promise<void> {
  const identity = makeIdentity();
  const recipients = (list: string[]) =>
    office.requestJson('PUT', '/admin/settings', { json: { changes: { BACKUP_RECIPIENTS: list } } });
  await recipients([recipientOf(identity)]);
  try {
    const file = await openAgeFile(await makeBackup(office), [identity]);
    for await (const bytes of file.bytes(0, 4)) expect(Buffer.from(bytes).toString()).toBe('PK\u0003\u0004');
    await file.close();
  } finally {
    await recipients([]);
  }
}

async function sendWebhook(office: Office): Promise<void> {
  const receiver = await WebhookReceiver.start();
  try {
    const changes = { WEBHOOKS_ENABLED: true, WEBHOOKS_ALLOW_PRIVATE: true };
    await office.requestJson('PUT', '/admin/settings', { json: { changes } });
    const { user } = await changeAccess(office, '/access/integrations', { display_name: 'Records system' });
    const json = { integration_id: user.id, url: receiver.url, events: ['fax.delivered'] };
    const { endpoint, secret } = await office.requestJson('POST', '/webhooks/endpoints', { json });
    await office.requestJson('POST', `/webhooks/endpoints/${endpoint.id}/test`);
    await waitFor(async () => expect(receiver.types).toEqual(['webhook.test']));
    const [message] = receiver.messages;
    expect(message && verify(secret, message, Date.now())).toMatchObject({ type: 'webhook.test' });
  } finally {
    await receiver.close();
  }
}

async function signInWithSecondFactor(office: Office): Promise<void> {
  const local = office.url.replace('127.0.0.1', 'localhost');
  const own = await signedIn(local, { password: MARA.password });
  const begun = await own('/auth/two-factor/begin', { current_password: MARA.password });
  const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate();
  const { recovery_codes } = await own('/auth/two-factor/confirm', { code });
  const [first, second] = recovery_codes as string[];
  const again = await signedIn(local, { password: MARA.password, code: first });
  const device = new SoftwareAuthenticator(local);
  const options = await again('/auth/passkeys/begin', { current_password: MARA.password, code: second });
  const added = await again('/auth/passkeys', { name: 'Laptop', passkey: device.create(options) });
  expect(added.passkey).toMatchObject({ name: 'Laptop' });
  const asked = await post(`${local}/auth/passkey/options`, {}, { Origin: local });
  const passkey = device.sign((await asked.json()) as Body);
  const headers = { Origin: local, Cookie: cookieOf(asked) };
  expect((await post(`${local}/auth/passkey/login`, { passkey }, headers)).status).toBe(200);
}

/** Repeats a change of who may do what: others make some at the same moment. */
export function changeAccess(office: Office, path: string, facts: object): Promise<Body> {
  return waitFor(async () => {
    const { policy_version } = await office.requestJson('GET', '/auth/me');
    const json = { ...facts, expected_policy_version: policy_version };
    return await office.requestJson('POST', path, { json });
  });
}

async function useTerminal(office: Office): Promise<void> {
  const change = (path: string, facts: object) => changeAccess(office, path, facts);
  const { user, temporary_password } = await change('/access/users', {
    login: 'tessa',
    display_name: 'Tessa',
  });
  const { role } = await change('/access/roles', { name: 'Terminal', permissions: ['host:terminal'] });
  await change('/access/assignments', {
    subject: { kind: 'principal', id: user.id, version: user.version },
    role: { id: role.id, version: role.version },
    resource_id: 'installation',
  });
  const url = office.url.replace('127.0.0.1', 'localhost');
  const password = 'nine yellow kettles sing';
  const first = await signedIn(url, { login: 'tessa', password: temporary_password });
  await first('/auth/password', { current_password: temporary_password, password });
  const tessa = await signedIn(url, { login: 'tessa', password });
  const { id } = await tessa('/console/terminals', { columns: 80, rows: 24 });
  // Before the commands: a terminal that has ended has no output.
  const answer = await fetch(`${url}/console/terminals/${id}/output`, { headers: tessa.headers });
  await tessa(`/console/terminals/${id}/input`, { number: 1, text: 'me\rsend 1 /etc/passwd\rexit\r' });
  const output = await answer.text();
  expect(output).toContain('host:terminal');
  expect(output).toContain('send reads or writes files');
  expect(output).toContain('{"reason":"exited"}');
}

/** Sends requests as a person who is signed in. */
export type Requester = ((path: string, body: object) => Promise<Body>) & {
  readonly headers: { readonly Cookie: string };
};

/** Signs a person in, Mara when left out, and gives what she then asks with. */
export async function signedIn(url: string, given: object): Promise<Requester> {
  const entry = await post(`${url}/auth/login`, { login: MARA.login, ...given }, { Origin: url });
  if (!entry.ok) throw new Error(`${entry.status} ${await entry.text()}`);
  const Cookie = cookieOf(entry);
  const me = (await (await fetch(`${url}/auth/me`, { headers: { Cookie } })).json()) as Body;
  const request = async (path: string, body: object): Promise<Body> => {
    const headers = { Origin: url, Cookie, 'X-CSRF-Token': me.csrf_token as string };
    const answer = await post(url + path, body, headers);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return Object.assign(request, { headers: { Cookie } });
}

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function post(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  const all = { ...headers, 'Content-Type': 'application/json' };
  return wholeAnswer(await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) }));
}
