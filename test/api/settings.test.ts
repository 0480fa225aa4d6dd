import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { PROVIDERS } from '../../server/composition/providers.ts';
import { listSecurityEvents } from '../../server/features/audit/service.ts';
import { createCatalog } from '../../server/features/settings/catalog.ts';
import {
  ConfigurationValidationErrorResponse,
  ConfigurationWriteResponse,
  SettingsAnswer,
  settingsRoutes,
} from '../../shared/api/settings.ts';
import { BACKEND_NAMES } from '../setup/backend-names.ts';
import {
  type Answer,
  CHECKED,
  removeFolder,
  type SettingsProcess,
  startSettings,
} from '../setup/settings-room.ts';

let room: SettingsProcess;

beforeEach(async () => {
  room = await startSettings(CHECKED);
});

afterEach(async () => {
  await room.stop();
  await removeFolder(room.folder);
});

const put = (body: unknown): Promise<Answer> => room.call('PUT', '/admin/settings', body);
const change = (changes: Record<string, unknown>): Promise<Answer> => put({ changes });

async function shown(name: string): Promise<z.infer<typeof SettingsAnswer>['settings'][number] | undefined> {
  const answer = await room.call('GET', '/admin/settings');
  return SettingsAnswer.parse(answer.body).settings.find((setting) => setting.name === name);
}

function expectInvalid(answer: Answer, loc: (string | number)[], type?: string): void {
  expect(answer.status).toBe(422);
  const { detail } = ConfigurationValidationErrorResponse.parse(answer.body);
  expect(detail.map((entry) => entry.loc)).toContainEqual(loc);
  if (type) expect(detail[0]?.type).toBe(type);
}

describe('reading the settings', () => {
  it('shows every setting with its words, default and source, and a first revision', async () => {
    const answer = await room.call('GET', '/admin/settings');
    expect(answer.status).toBe(200);
    const { settings, _meta } = SettingsAnswer.parse(answer.body);
    expect(settings.map((setting) => setting.name)).toEqual(createCatalog(PROVIDERS).names);
    expect(await shown('FAX_BACKEND')).toMatchObject({
      value: null,
      is_set: false,
      source: 'default',
      type: 'choice',
      choices: BACKEND_NAMES,
      needs_restart: false,
    });
    expect(await shown('SESSION_IDLE_MINUTES')).toMatchObject({ least: 5, most: 720, format: null });
    expect(await shown('FAX_NUMBER')).toMatchObject({ format: 'phone_number', least: null, most: null });
    expect(await shown('FAX_ORGANIZATION')).toMatchObject({ format: 'line', most: 50 });
    expect(await shown('ALLOWED_ORIGINS')).toMatchObject({ type: 'list', format: 'origin' });
    expect(_meta).toMatchObject({ generation: 1, apply_state: 'applied', restart_recommended: false });
    expect(_meta.active_revision_id).toBe(_meta.desired_revision_id);
  });

  it('needs settings:read, and changing needs settings:write', async () => {
    expect((await room.call('GET', '/admin/settings', undefined, [])).status).toBe(403);
    expect((await room.call('GET', '/admin/settings/revisions', undefined, ['settings:write'])).status).toBe(
      403,
    );
    for (const [method, path] of [
      ['PUT', '/admin/settings'],
      ['POST', '/admin/settings/validate'],
      ['POST', '/admin/settings/persist'],
    ] as const)
      expect((await room.call(method, path, {}, ['settings:read'])).status).toBe(403);
  });
});

describe('changing settings', () => {
  it('saves all values, puts them in force at once and answers the new revision', async () => {
    const heard: string[][] = [];
    room.settings.onChange((event) => heard.push([...event.names]));
    const answer = await change({
      FAX_BACKEND: 'cloudone',
      MAX_FILE_SIZE_MB: 40,
      ALLOWED_ORIGINS: ['https://a.example'],
    });
    expect(answer.status).toBe(200);
    const body = ConfigurationWriteResponse.parse(answer.body);
    expect(body).toMatchObject({ ok: true, changed: true, _meta: { generation: 2, apply_state: 'applied' } });
    expect(room.settings.get('FAX_BACKEND')).toBe('cloudone');
    expect(room.settings.get('ALLOWED_ORIGINS')).toEqual(['https://a.example']);
    expect(room.settings.snapshot()).toMatchObject({
      generation: 2,
      revisionId: body._meta.active_revision_id,
    });
    expect(heard).toEqual([['FAX_BACKEND', 'MAX_FILE_SIZE_MB', 'ALLOWED_ORIGINS']]);
    expect(await shown('MAX_FILE_SIZE_MB')).toMatchObject({ value: 40, source: 'stored', is_set: true });
  });

  it('names the first hundred fields of a body that holds tens of thousands of wrong ones', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
    for (const answer of [await put(wrong), await change(wrong)]) {
      expect(answer.status).toBe(422);
      expect(ConfigurationValidationErrorResponse.parse(answer.body).detail).toHaveLength(100);
    }
  });

  it('saves nothing when one of several values does not fit', async () => {
    expectInvalid(
      await change({ MAX_FILE_SIZE_MB: 40, SESSION_IDLE_MINUTES: 4 }),
      ['body', 'changes', 'SESSION_IDLE_MINUTES'],
      'too_small',
    );
    expect(room.settings.get('MAX_FILE_SIZE_MB')).toBe(25);
    expect(room.settings.snapshot().generation).toBe(1);
  });

  it.each([
    ['FAX_BACKEND', 'freeswitch'],
    ['FAX_DISABLED', 'true'],
    ['FAX_DEFAULT_COUNTRY', 'USA'],
    ['MAX_FILE_SIZE_MB', '40'],
    ['MAX_FILE_SIZE_MB', 1001],
    ['MAX_FILE_SIZE_MB', 1.5],
    ['FAX_ORGANIZATION', 'two\nlines'],
    ['FAX_NUMBER', '202 555 0123'],
    ['TIME_ZONE', 'Mars/Olympus'],
    ['TIME_ZONE', '+01:00'],
    ['CLOUDONE_API_KEY', 'with space'],
    ['CLOUDONE_API_URL', 'http://collector.example'],
    ['PUBLIC_API_URL', 'ftp://fax.example.com'],
    ['PUBLIC_API_URL', 'https:///'],
    ['PUBLIC_API_URL', 'https://fax.example.com?a=1'],
    ['PUBLIC_API_URL', 'https://user:pass@fax.example.com'],
    ['PUBLIC_API_URL', 'http://fax.example.com'],
    ['PUBLIC_API_URL', 'http://8.8.8.8'],
    ['ALLOWED_ORIGINS', 'https://a.example'],
    ['ALLOWED_ORIGINS', ['https://a.example/path']],
    ['ALLOWED_ORIGINS', ['https://a.example', 'https://a.example']],
    ['NO_SUCH_SETTING', 1],
    ['fax_disabled', true],
    ['API_KEY', 'secret'],
  ])('refuses %s = %j', async (name, value) => {
    const text = `{"changes":{${JSON.stringify(name)}:${JSON.stringify(value)}}}`;
    expectInvalid(await put(JSON.parse(text)), ['body', 'changes', name]);
  });

  it.each([
    ['PUBLIC_API_URL', 'https://fax.example.com/gateway'],
    ['PUBLIC_API_URL', 'http://127.0.0.1:8080'],
    ['PUBLIC_API_URL', 'http://[::1]:8080'],
    ['PUBLIC_API_URL', 'http://192.168.1.5:8080'],
    ['PUBLIC_API_URL', 'http://gateway:8080'],
    ['PUBLIC_API_URL', 'http://fax.office.lan'],
    ['TIME_ZONE', 'Europe/Berlin'],
    ['SESSION_IDLE_MINUTES', 5],
    ['FAX_ORGANIZATION', 'Praxis Dr. Müller'],
  ])('accepts %s = %j', async (name, value) => {
    expect((await change({ [name]: value })).status).toBe(200);
    expect(await shown(name)).toMatchObject({ value });
  });

  it('takes a public address with slashes at its end, and keeps it without', async () => {
    await change({ PUBLIC_API_URL: 'https://fax.example.com/desk//' });
    expect(await shown('PUBLIC_API_URL')).toMatchObject({
      value: 'https://fax.example.com/desk',
      warning: null,
    });
    await change({ PUBLIC_API_URL: 'https://[2606:4700::1]/' });
    expect(await shown('PUBLIC_API_URL')).toMatchObject({ value: 'https://[2606:4700::1]', warning: null });
  });

  it('warns of a public address that no provider can reach', async () => {
    await change({ PUBLIC_API_URL: 'https://192.168.1.5' });
    expect(await shown('PUBLIC_API_URL')).toMatchObject({
      warning:
        'No provider can reach https://192.168.1.5: it is an address of a private network. Faxdesk sends it documents directly and asks it for results and received faxes.',
    });
  });

  it('writes the own number in one form', async () => {
    await change({ FAX_NUMBER: '+1 (202) 555-0123' });
    expect(room.settings.get('FAX_NUMBER')).toBe('+12025550123');
  });

  it.each([
    [{ changes: 5 }, ['body', 'changes']],
    [{ changes: { FAX_ORGANIZATION: { deep: 1 } } }, ['body', 'changes', 'FAX_ORGANIZATION']],
    [{ expected_revision_id: '' }, ['body', 'expected_revision_id']],
    [[], ['body']],
    [{ unheard_of: 1 }, ['body', 'unheard_of']],
    [{ FAX_DISABLED: true }, ['body', 'FAX_DISABLED']],
  ])('answers the constant message for the body %j', async (body, loc) => {
    expectInvalid(await put(body), loc);
  });

  it('takes the flat names of earlier releases', async () => {
    const answer = await put({
      fax_disabled: true,
      max_file_size_mb: 12,
      backend: 'sip',
      freeswitch_esl_host: 'x',
    });
    expect(answer.body).toMatchObject({ ok: true, changed: true });
    expect(room.settings.get('FAX_DISABLED')).toBe(true);
    expect(room.settings.get('MAX_FILE_SIZE_MB')).toBe(12);
    expect(room.settings.get('FAX_BACKEND')).toBe('sip');
    expect(room.log.join('')).toContain('freeswitch_esl_host');
  });

  it('refuses a flat name that does not fit, and a setting named twice', async () => {
    expectInvalid(await put({ max_file_size_mb: 0 }), ['body', 'max_file_size_mb']);
    expectInvalid(
      await put({ changes: { FAX_DISABLED: true }, fax_disabled: false }),
      ['body', 'fax_disabled'],
      'named_twice',
    );
  });

  it('makes no revision when nothing changes', async () => {
    await change({ MAX_FILE_SIZE_MB: 40 });
    for (const body of [{ changes: { MAX_FILE_SIZE_MB: 40 } }, { changes: { FAX_NUMBER: null } }, {}])
      expect((await put(body)).body).toMatchObject({ ok: true, changed: false, _meta: { generation: 2 } });
  });

  it('brings a default back with null', async () => {
    await change({ MAX_FILE_SIZE_MB: 40, FAX_BACKEND: 'sip' });
    expect((await change({ MAX_FILE_SIZE_MB: null, FAX_BACKEND: null })).body.changed).toBe(true);
    expect(await shown('MAX_FILE_SIZE_MB')).toMatchObject({ value: 25, source: 'default' });
    expect(room.settings.get('FAX_BACKEND')).toBeNull();
  });

  it('refuses a write that looked at an older revision, and writes nothing', async () => {
    const first = (await room.call('GET', '/admin/settings')).body._meta.desired_revision_id;
    const expecting = (value: number) =>
      put({ changes: { MAX_FILE_SIZE_MB: value }, expected_revision_id: first });
    expect((await expecting(30)).status).toBe(200);
    const stale = await expecting(31);
    expect(stale.status).toBe(409);
    expect(stale.body).toEqual({ detail: 'This changed in the meantime; reload and try again.' });
    expect(room.settings.get('MAX_FILE_SIZE_MB')).toBe(30);
  });

  it('lets only one of many writers with the same revision through', async () => {
    const first = (await room.call('GET', '/admin/settings')).body._meta.desired_revision_id;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        put({ changes: { MAX_FILE_SIZE_MB: 30 + n }, expected_revision_id: first }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(7).fill(409),
    ]);
    expect(room.settings.snapshot().generation).toBe(2);
  });

  it('keeps writing when a listener fails', async () => {
    room.settings.onChange(() => {
      throw new Error('listener broke');
    });
    expect((await change({ MAX_FILE_SIZE_MB: 30 })).status).toBe(200);
    expect(room.log.join('')).toContain('listener broke');
  });
});

describe('a setting that needs a restart', () => {
  it('keeps its value in force until the next start and says so', async () => {
    const { active_revision_id: first } = (await room.call('GET', '/admin/settings')).body._meta;
    const answer = await change({ LOG_LEVEL: 'debug', MAX_FILE_SIZE_MB: 30 });
    expect(answer.body._meta).toMatchObject({
      active_revision_id: first,
      generation: 1,
      apply_state: 'pending_restart',
      restart_recommended: true,
    });
    expect(answer.body._meta.desired_revision_id).not.toBe(first);
    expect(room.settings.get('LOG_LEVEL')).toBe('info');
    expect(room.settings.get('MAX_FILE_SIZE_MB')).toBe(30);
    expect(await shown('LOG_LEVEL')).toMatchObject({ value: 'debug' });
    room = await room.restart();
    expect(room.settings.get('LOG_LEVEL')).toBe('debug');
    const { _meta } = (await room.call('GET', '/admin/settings')).body;
    expect(_meta).toMatchObject({
      generation: 2,
      apply_state: 'applied',
      active_revision_id: _meta.desired_revision_id,
    });
  });

  it('is applied again when the change is taken back, and waits on through other changes', async () => {
    await change({ LOG_LEVEL: 'debug' });
    expect((await change({ MAX_FILE_SIZE_MB: 30 })).body._meta).toMatchObject({
      apply_state: 'pending_restart',
      generation: 1,
    });
    expect((await change({ LOG_LEVEL: 'info' })).body._meta).toMatchObject({
      apply_state: 'applied',
      generation: 4,
    });
  });
});

describe('revisions', () => {
  it('list the changes newest first, page by page', async () => {
    for (const value of [30, 31, 32]) await change({ MAX_FILE_SIZE_MB: value });
    const first = await room.call('GET', '/admin/settings/revisions?limit=2');
    expect(settingsRoutes.revisions.answer.schema.parse(first.body).items).toMatchObject([
      { generation: 4, changes: [{ name: 'MAX_FILE_SIZE_MB', from: 31, to: 32, secret: false }] },
      { generation: 3, actor: { id: 'person-1', name: 'Ada Admin' }, created_at: '2026-10-01T08:30:00.000Z' },
    ]);
    const cursor = encodeURIComponent(first.body.next_cursor);
    const second = await room.call('GET', `/admin/settings/revisions?limit=2&cursor=${cursor}`);
    expect(second.body.items.map((item: { generation: number }) => item.generation)).toEqual([2, 1]);
    expect(second.body.next_cursor).toBeNull();
    expect((await room.call('GET', '/admin/settings/revisions?cursor=nonsense')).status).toBe(400);
  });

  it('come with a security audit event of the same transaction', async () => {
    const answer = await change({ MAX_FILE_SIZE_MB: 30 });
    const { items } = await listSecurityEvents(room.database.read, {
      operations: ['settings.change'],
      limit: 10,
    });
    expect(items).toMatchObject([
      {
        actor: { id: 'person-1', name: 'Ada Admin' },
        credentialKind: 'session',
        target: { kind: 'settings', id: answer.body._meta.desired_revision_id },
        outcome: 'done',
        policyVersion: 4,
        requestId: 'request-1',
        details: { changes: [{ name: 'MAX_FILE_SIZE_MB', from: 25, to: 30 }] },
      },
    ]);
  });
});
