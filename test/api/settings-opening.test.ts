import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { SettingsAnswer } from '../../shared/api/settings.ts';
import { SUMMARY_SHOWS } from '../../shared/api/summary.ts';
import { ALL_PERMISSIONS, type Permission } from '../../shared/permissions.ts';
import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

const PASSWORD = 'quiet orange lantern';
const ALLOWED = { FAX_ORGANIZATION: 'Refused Clinic' };
const DOCUMENTS: readonly Permission[] = ['fax:document', 'inbound:document'];

/** Permissions that each kind of setting requires beside those for settings, with a value that is not the saved one. */
const OPENING: readonly [Record<string, unknown>, readonly Permission[]][] = [
  [{ SEND_FOLDER: 'other' }, ['fax:send']],
  [{ ASSISTANT_CONFIRM: 'never' }, ['fax:send']],
  [{ GUARD_BLOCKED: 'warn' }, ['contacts:manage']],
  [{ WEBHOOKS_ENABLED: true }, ['webhooks:manage']],
  [{ WEBHOOKS_ALLOW_PRIVATE: true }, ['webhooks:manage']],
  [{ DIRECT_DELIVERY_ENABLED: true }, ['providers:write']],
  [{ DIRECT_FAX_NUMBER: '+12025550123' }, ['providers:write']],
  [{ DIRECT_ALLOW_PRIVATE_PEERS: true }, ['providers:write']],
  [{ DIRECT_WORK_ITEMS: true }, ['mailboxes:manage']],
  [{ DIRECTORY_URL: 'ldaps://directory.example' }, ['contacts:manage']],
  [{ DIRECTORY_USER: 'faxdesk@office.example' }, ['contacts:manage']],
  [{ DIRECTORY_PASSWORD: 'a-password' }, ['contacts:manage']],
  [{ DIRECTORY_BASE: 'dc=office,dc=example' }, ['contacts:manage']],
  [{ DIRECTORY_FILTER: '(objectClass=person)' }, ['contacts:manage']],
  [{ SEND_FOLDER_FOR: 'mara' }, ['fax:send', 'users:manage']],
  [{ SEND_FOLDER_MAILBOX: 'Front desk' }, ['fax:send']],
  [{ MAIL_TO_FAX_HOST: 'mail.evil.example' }, ['fax:send']],
  [{ MAIL_TO_FAX_ADDRESS: 'fax@evil.example' }, ['fax:send']],
  [{ MAIL_TO_FAX_TRUSTED_SERVER: 'mail.evil.example' }, ['fax:send', 'users:manage']],
  [{ IMPORT_FOLDER: 'other' }, ['work:import']],
  [{ MAIL_IMPORTED: true }, ['inbound:document']],
  [{ MAIL_UNENCRYPTED: true }, ['inbound:document']],
  [{ SPENDING_CURRENCY: 'USD' }, ['routing:manage']],
  [{ SPENDING_PERSON_DAY: '1000000' }, ['routing:manage']],
  [{ FAX_BACKEND: 'sip' }, ['providers:write']],
  [{ CLOUDONE_API_URL: 'https://evil.example' }, ['providers:write']],
  [{ CLOUDONE_API_KEY: 'their-own-account', CLOUDONE_API_SECRET: 'their-own' }, ['providers:write']],
  [{ CLOUDTWO_API_URL: 'http://127.0.0.1:9' }, ['providers:write']],
  [{ CLOUDTWO_REGION: 'eu1' }, ['providers:write']],
  [{ TELEPHONY_HOST: 'asterisk.evil.example' }, ['providers:write']],
  [{ TRUNK_HOST: 'sip.evil.example' }, ['providers:write']],
  [{ TRUNK_DIAL_PREFIX: '99' }, ['providers:write']],
  [{ PUBLIC_API_URL: 'https://evil.example' }, ['providers:write', 'users:manage']],
  // Receivers of the audit log, the backups and the summary.
  [{ AUDIT_LOG_ENABLED: true, AUDIT_LOG_SYSLOG: true }, ['audit:read']],
  [{ AUDIT_LOG_SYSLOG_ADDRESS: 'udp://127.0.0.1:9' }, ['audit:read']],
  [{ AUDIT_LOG_FILE: 'theirs.log' }, ['audit:read']],
  [{ STORAGE_BACKEND: 's3' }, ['fax:document', 'inbound:document']],
  [{ S3_BUCKET: 'theirs' }, ['fax:document', 'inbound:document']],
  [{ S3_PREFIX: 'theirs' }, ['fax:document', 'inbound:document']],
  [{ S3_REGION: 'theirs' }, ['fax:document', 'inbound:document']],
  [{ S3_ENDPOINT_URL: 'https://theirs.example' }, ['fax:document', 'inbound:document']],
  [{ S3_KMS_KEY_ID: 'theirs' }, ['fax:document', 'inbound:document']],
  [{ S3_PATH_STYLE: true }, ['fax:document', 'inbound:document']],
  [{ AWS_ACCESS_KEY_ID: 'theirs' }, ['fax:document', 'inbound:document']],
  [{ AWS_SECRET_ACCESS_KEY: 'theirs' }, ['fax:document', 'inbound:document']],
  // Ids and times of faxes.
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://192.0.2.1:4318' }, ['diagnostics:read']],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=theirs' }, ['diagnostics:read']],
  [{ BACKUP_FOLDER: 'theirs' }, ['owner:recover']],
  [
    { BACKUP_RECIPIENTS: ['age1phq64vq0777mrfd67fs6ektucvr9qp7qppd2t7vk84xshphd948s06kgpa'] },
    ['owner:recover'],
  ],
  [{ SUMMARY_RECIPIENTS: ['eve@evil.example'] }, SUMMARY_SHOWS],
  [{ SUMMARY_CONNECTOR: 'Theirs' }, SUMMARY_SHOWS],
  // Deletion, and documents that stay readable.
  [{ INBOUND_RETENTION_DAYS: 1 }, ['inbound:document']],
  [{ ARTIFACT_TTL_DAYS: 1 }, ['fax:document']],
  [{ CALL_LOG_DAYS: 1 }, ['providers:write']],
  [{ BACKUP_KEEP: 1 }, DOCUMENTS],
  [{ BACKUP_DAILY_AT: '01:00' }, DOCUMENTS],
  [{ ENCRYPT_DOCUMENTS: true }, DOCUMENTS],
  // Recipients, words and costs of other people's faxes.
  [{ FAX_DEFAULT_COUNTRY: 'DE' }, ['routing:manage']],
  [{ FAX_NUMBER: '+12025550123' }, ['routing:manage']],
  [{ TIME_ZONE: 'Pacific/Kiritimati' }, ['routing:manage']],
  [{ MAIL_TO_FAX_COVER: 'To {to_number} | {text}' }, ['fax:send']],
  [{ MAIL_TO_FAX_REPLY_CONNECTOR: 'Theirs' }, ['fax:send']],
  [{ WORK_ACKNOWLEDGE_HOURS: 1 }, ['mailboxes:manage']],
  // Sign-in of other people.
  [{ ALLOWED_ORIGINS: ['https://evil.example'] }, ['users:manage']],
  [{ SERVICE_ALLOW_INSECURE_HTTP_SESSIONS: true }, ['users:manage']],
  [{ TRUSTED_PROXIES: ['192.0.2.1'] }, ['users:manage']],
  [{ HTTPS_CERTIFICATE_FILE: '/tmp/theirs.pem', HTTPS_KEY_FILE: '/tmp/theirs.key' }, ['users:manage']],
  [{ QUICK_SIGN_IN: 'pin_or_card' }, ['users:manage']],
  [{ SESSION_IDLE_MINUTES: 720 }, ['sessions:revoke']],
  [{ IDLE_LOCK_MINUTES: 0 }, ['sessions:revoke']],
];

/** Settings that open nothing, each with the reason. A new setting names in its definition what it opens, or stands here. */
const HARMLESS: Readonly<Record<string, string>> = {
  AUDIT_LOG_FORMAT: 'the same lines in another form',
  OTEL_SERVICE_NAME: 'a name in traces and metrics',
  OTEL_TRACES_SAMPLER_ARG: 'how many traces are sent; where they go is another setting',
  LOG_LEVEL: 'what is logged is read with logs:read alone; the security audit is apart from it',
  OPT_OUT_LINE: 'a line on broadcasts that somebody sends; documents and numbers stay as they are',
  OPT_OUT_PAGE: 'where that line is printed',
  CHEAP_HOURS:
    'when faxes leave for which somebody chose cheap hours; documents and numbers stay as they are',
  REFERENCE_LABEL: 'a word beside a field; documents and numbers stay as they are',
  DOCUMENT_TYPES: 'words that are offered; documents and numbers stay as they are',
  FAX_ORGANIZATION: 'a name in the header line; documents and numbers stay as they are',
  GUARD_FIRST_TIME: 'how the number of a fax is checked that its sender may send anyway',
  GUARD_NEAR_CONTACT: 'how the number of a fax is checked that its sender may send anyway',
  GUARD_SWAPPED_DIGITS: 'how the number of a fax is checked that its sender may send anyway',
  GUARD_FAILING: 'how the number of a fax is checked that its sender may send anyway',
  HEADER_PER_PERSON: 'a name in the header line that its person sets; number and documents stay as they are',
  GUARD_VOICE_NUMBER: 'how the number of a fax is checked that its sender may send anyway',
  GUARD_OPTED_OUT: 'how the number of a fax is checked that its sender may send anyway',
  GUARD_OWN_NUMBER: 'how the number of a fax is checked that its sender may send anyway',
  GUARD_SAME_DOCUMENT: 'how the number of a fax is checked that its sender may send anyway',
  DIRECT_ORGANIZATION: 'a name on the card; partners verify the fax number beside it',
  FAX_DISABLED: 'faxes are held, each with its document, until somebody who may send lets them go',
  FAX_AUTOMATIC_TRIES: 'repeats what somebody sent, to the same number, within the spending limits',
  FAX_CALLS_PER_NUMBER: 'how fast faxes leave',
  MAX_FILE_SIZE_MB: 'what is refused was never accepted',
  MAX_REQUESTS_PER_MINUTE: 'how often keys may ask',
  INBOUND_LIST_RPM: 'how often keys may ask',
  INBOUND_GET_RPM: 'how often keys may ask',
  PDF_TOKEN_TTL_MINUTES: 'only the provider is given the link of a document',
  PRINT_TO_FAX:
    'other computers print with the print password of a person; a person with fax:send sends what is printed, or nobody does',
  PRINT_PORT: 'the port of that printer',
  SCANNERS: 'only JPEG pages are taken from the address, for the person who scans',
  PRINT_NETWORK_HOST: 'who prints there still has to have a print password',
  PRINT_NETWORK_PORT: 'who prints there still has to have a print password',
  PRINTED_DAYS: 'how long printed documents are kept, which only the person who took them opens',
  DRAFT_DAYS: 'how long drafts are kept, which only the person who saved them reads',
  CLEANUP_INTERVAL_MINUTES: 'when is deleted what is deleted anyway',
  INBOUND_ENABLED: 'off, faxes stay with the provider or the engine until it is on again',
  INBOUND_POLLING: 'how soon a received fax is found',
  INBOUND_DECODE_PAGES: 'the original is opened with the permission for the fax that carries it',
  INBOUND_READING: 'how unread faxes are counted; who read them is shown either way',
  HTTPS_ENABLED: 'who opens the address still has to sign in',
  HTTPS_HOST: 'who opens the address still has to sign in',
  HTTPS_PORT: 'who opens the address still has to sign in',
  HTTPS_ANNOUNCED: 'who finds the address still has to sign in',
  HTTPS_NAMES: 'names of this computer alone: the key of the certificate stays here',
  MAIL_ATTACHMENT_MB: 'a larger fax waits for a person; it goes nowhere else',
  MAIL_TO_FAX_MB: 'a larger message is refused',
  ASSISTANT_ENABLED: 'an assistant does what its key may do in any other way as well',
  TERMINAL_ENABLED: 'a command there does what its person may do in any other way as well',
  SUMMARY_AT: 'the hour at which the same people get it',
};

let made = 0;
let gateway: TestGateway;
let administrator: AccessAdministrator;
let settings: Item;
beforeAll(async () => {
  gateway = await startTestGateway();
  administrator = new AccessAdministrator(gateway);
  settings = await administrator.role('Settings alone', ['settings:read', 'settings:write']);
});
afterAll(() => gateway.close());

/** Sends a request as one principal. */
type As = (method: string, path: string, json?: unknown) => Promise<Response>;

/** A key of an integration that may do everything; its ceiling alone is small. */
async function keyWith(...more: readonly Permission[]): Promise<As> {
  made += 1;
  const name = `Program ${made}`;
  const integration = await administrator.integration(name);
  const all = await administrator.role(name, ALL_PERMISSIONS);
  await administrator.assign(integration, all);
  const { token } = await administrator.key(integration, ['settings:read', 'settings:write', ...more]);
  return (method, path, json) => gateway.request(method, path, { key: token, json });
}

/** A person who signed in with a password of their own. */
async function personWith(login: string, roles: readonly Item[]): Promise<As> {
  const person = await administrator.person(login, login);
  for (const role of roles) await administrator.assign(person, role);
  const origin = { Origin: gateway.url };
  const signIn = async (password: string) => {
    const answer = await gateway.request('POST', '/auth/login', {
      key: null,
      headers: origin,
      json: { login, password },
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const me = await gateway.request('GET', '/auth/me', { key: null, headers: { Cookie: cookie } });
    const { csrf_token } = (await me.json()) as { csrf_token: string };
    return { ...origin, Cookie: cookie, 'X-CSRF-Token': csrf_token };
  };
  const first = await signIn(person.temporaryPassword);
  await gateway.request('POST', '/auth/password', {
    key: null,
    headers: first,
    json: { current_password: person.temporaryPassword, password: PASSWORD },
  });
  const headers = await signIn(PASSWORD);
  return (method, path, json) => gateway.request(method, path, { key: null, headers, json });
}

const save = async (as: As, changes: object): Promise<[number, string | null]> => {
  const answer = await as('PUT', '/admin/settings', { changes });
  return [answer.status, answer.headers.get('x-error-code')];
};

/** Everything that is saved, as the owner reads it. */
async function all(): Promise<SettingsRead> {
  return (await (await gateway.request('GET', '/admin/settings')).json()) as SettingsRead;
}

type SettingsRead = Pick<z.infer<typeof SettingsAnswer>, 'settings' | '_meta'>;

describe('a setting that opens something', () => {
  test('takes the permission for that, of a person and of a key, and nothing of a refused write is kept', async () => {
    const before = await all();
    const [key, person] = [await keyWith(), await personWith('sam', [settings])];
    // The rule is the same for a person; they try a few.
    const tried: readonly [As, typeof OPENING][] = [
      [key, OPENING],
      [person, OPENING.filter((_, at) => at % 4 === 1)],
    ];
    for (const [as, opening] of tried)
      for (const [changes] of opening)
        expect([changes, await save(as, { ...ALLOWED, ...changes })]).toEqual([
          changes,
          [403, 'setting_opens_more'],
        ]);
    expect(await all()).toEqual(before);
    for (const as of [key, person]) expect((await save(as, { FAX_ORGANIZATION: 'Clinic' }))[0]).toBe(200);
    const answer = await gateway.request('GET', '/access/audit?operation=settings.change');
    const { items } = (await answer.json()) as { items: { outcome: string }[] };
    expect(items.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThan(0);
  });

  test('is named in the refusal with the permission that is missing', async () => {
    const answer = await (await keyWith('users:manage'))('PUT', '/admin/settings', {
      changes: { SEND_FOLDER_FOR: 'mara' },
    });
    expect(await answer.json()).toMatchObject({
      detail:
        'To change “Send folder sends for” you need the permission “Send faxes” for the whole installation.',
    });
  });

  test('is changed by whoever holds what it opens, and says what that is', async () => {
    const { settings: shown } = await all();
    const held: readonly Permission[] = ['fax:send', 'users:manage', 'inbound:document', 'routing:manage'];
    const key = await keyWith(...held);
    for (const [changes, permissions] of OPENING) {
      for (const name of Object.keys(changes))
        expect([name, shown.find((setting) => setting.name === name)?.opens]).toEqual([name, permissions]);
      const isHeld = permissions.every((permission) => held.includes(permission));
      expect([changes, (await save(key, changes))[0]]).toEqual([changes, isHeld ? 200 : 403]);
    }
    const role = await administrator.role('Providers', ['providers:write']);
    const person = await personWith('pia', [settings, role]);
    expect((await save(person, { CLOUDTWO_REGION: 'eu1', TRUNK_HOST: 'sip.example' }))[0]).toBe(200);
  });

  test('is every setting but those that are listed as opening nothing', async () => {
    const { settings: shown } = await all();
    const opensNothing = shown.filter(({ opens }) => opens.length === 0).map(({ name }) => name);
    expect(opensNothing.sort()).toEqual(Object.keys(HARMLESS).sort());
  });

  test('takes it for the whole installation: on one mailbox it is not enough', async () => {
    const mailbox = await administrator.mailbox('North');
    const integration = await administrator.integration('North');
    await administrator.assign(integration, settings);
    const sending = await administrator.role('Sending in North', ['fax:send', 'inbound:document']);
    await administrator.assign(integration, sending, `mailbox:${mailbox.id}`);
    const { token } = await administrator.key(integration, ['settings:write']);
    const as: As = (method, path, json) => gateway.request(method, path, { key: token, json });
    expect(await save(as, { SEND_FOLDER: 'north' })).toEqual([403, 'setting_opens_more']);
  });

  test('is refused by its older names, as a default and beside an older revision too', async () => {
    await gateway.set({ SEND_FOLDER: 'kept', CLOUDTWO_REGION: 'use1' });
    const key = await keyWith();
    for (const body of [
      { send_folder: 'flat' },
      { backend: 'cloudtwo' },
      { changes: { SEND_FOLDER: null } },
      { changes: { CLOUDTWO_REGION: 'global' } },
      { changes: { CLOUDTWO_REGION: null } },
    ]) {
      const answer = await key('PUT', '/admin/settings', body);
      expect([body, answer.status, answer.headers.get('x-error-code')]).toEqual([
        body,
        403,
        'setting_opens_more',
      ]);
    }
    // An unchanged value requires no further permission.
    expect(await save(key, { SEND_FOLDER: 'kept', CLOUDTWO_REGION: 'use1' })).toEqual([200, null]);
  });

  test('confirms no guess of a secret, and tries no account, of somebody who may not change it', async () => {
    await gateway.set({ TELEPHONY_PASSWORD: 'harbour' });
    const key = await keyWith();
    for (const guess of ['harbour', 'another'])
      expect(await save(key, { TELEPHONY_PASSWORD: guess })).toEqual([403, 'setting_opens_more']);
    const trial = { provider: 'cloudone', settings: { CLOUDONE_API_URL: 'https://evil.example' } };
    const answer = await key('POST', '/admin/settings/validate', trial);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, 'setting_opens_more']);
    // The answer names what is left on the saved account.
    expect((await key('POST', '/admin/settings/validate', { provider: 'cloudone' })).status).toBe(403);
  });
});

describe('an e-mail connector', () => {
  const fields = {
    name: 'Desk',
    host: 'mail.example.com',
    from_address: 'f@example.org',
    recipients: 'e@x.example',
  };

  test('is set up, changed and removed by whoever may open all received documents', async () => {
    const callers = [await keyWith(), await personWith('cleo', [settings])];
    const made = await gateway.request('POST', '/intake/connectors', { json: fields });
    const { id, version } = (await made.json()) as Item;
    const oauth = { provider: 'google', client_id: 'c', client_secret: 's', refresh_token: 't', version };
    for (const as of callers)
      for (const answer of [
        await as('POST', '/intake/connectors', fields),
        await as('PUT', `/intake/connectors/${id}`, { ...fields, recipients: 'eve@evil.example', version }),
        await as('PUT', `/intake/connectors/${id}/oauth`, oauth),
        await as('DELETE', `/intake/connectors/${id}/oauth`),
        await as('POST', `/intake/connectors/${id}/remove`, { version }),
      ])
        expect([answer.status, await answer.json()]).toMatchObject([
          403,
          {
            detail:
              'To change an e-mail connector you need the permission “Open received documents” for the whole installation.',
          },
        ]);
    const listed = await gateway.request('GET', '/intake/connectors');
    expect(await listed.json()).toMatchObject({ items: [{ id, version, recipients: ['e@x.example'] }] });
    const opener = await keyWith('inbound:document');
    const changed = await opener('PUT', `/intake/connectors/${id}`, { ...fields, version });
    expect(changed.status).toBe(200);
    const next = { version: ((await changed.json()) as Item).version };
    expect((await opener('POST', `/intake/connectors/${id}/remove`, next)).status).toBe(200);
  });
});

describe('a print rule', () => {
  const fields = { name: 'Desk', printer: 'Reception', printer_url: 'ipp://printer.example/ipp/print' };

  test('is created, changed and removed by whoever may open all received documents', async () => {
    const made = await gateway.request('POST', '/print-rules', { json: fields });
    const { id, version } = (await made.json()) as Item;
    for (const as of [await keyWith(), await personWith('cora', [settings])])
      for (const answer of [
        await as('POST', '/print-rules', fields),
        await as('PUT', `/print-rules/${id}`, { ...fields, printer_url: 'ipp://evil.example/', version }),
        await as('POST', `/print-rules/${id}/remove`, { version }),
      ])
        expect([answer.status, await answer.json()]).toMatchObject([
          403,
          {
            detail:
              'To change a print rule you need the permission “Open received documents” for the whole installation.',
          },
        ]);
    const opener = await keyWith('inbound:document');
    const changed = await opener('PUT', `/print-rules/${id}`, { ...fields, version });
    expect(changed.status).toBe(200);
    const next = { version: ((await changed.json()) as Item).version };
    const removed = await opener('POST', `/print-rules/${id}/remove`, next);
    expect(removed.status).toBe(200);
    await removed.json();
  });
});

describe('what settings:write alone does not reach beside the settings', () => {
  test('the figures of the summary, and what a backup holds', async () => {
    const key = await keyWith();
    const refused = async (method: string, path: string) => {
      const answer = await key(method, path);
      return [answer.status, answer.headers.get('x-error-code')];
    };
    expect(await refused('GET', '/summary')).toEqual([403, 'setting_opens_more']);
    expect((await (await keyWith(...SUMMARY_SHOWS))('GET', '/summary')).status).toBe(200);
    const name = 'faxdesk-2026-01-01-000000.zip';
    expect(await refused('DELETE', `/console/backups/${name}`)).toEqual([403, 'setting_opens_more']);
    expect((await (await keyWith(...DOCUMENTS))('DELETE', `/console/backups/${name}`)).status).toBe(404);
  });

  test('an account by which other people’s faxes leave, which routing:manage does not reach either', async () => {
    const account = { CLOUDONE_API_KEY: 'their-own-account', CLOUDONE_API_SECRET: 'their-own' };
    const route = { name: 'Theirs', backend: 'cloudone' };
    const key = await keyWith('routing:read', 'routing:manage');
    const made = await key('POST', '/routing/routes', { ...route, account });
    expect([made.status, made.headers.get('x-error-code')]).toEqual([403, 'setting_opens_more']);
    const plain = (await (await key('POST', '/routing/routes', route)).json()) as Item;
    const { id, version } = plain;
    const changed = await key('PATCH', `/routing/routes/${id}`, { account, version });
    expect(changed.status).toBe(403);
    const provider = await keyWith('routing:manage', 'providers:write');
    expect((await provider('PATCH', `/routing/routes/${id}`, { account, version })).status).toBe(200);
  });
});
