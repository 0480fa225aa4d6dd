import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecurityAudit, listSecurityEvents } from '../../server/features/audit/service.ts';
import { SettingsStartError } from '../../server/features/settings/service.ts';
import { BACKEND_NAMES } from '../setup/backend-names.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import {
  CLOCK,
  removeFolder,
  type SettingsProcess,
  type StartOptions,
  startSettings,
  valueOf,
} from '../setup/settings-room.ts';
import { needPostgres } from '../setup/tools.ts';

const actor = {
  id: 'p',
  name: 'Ada',
  credentialKind: 'session' as const,
  policyVersion: 1,
  requestId: null,
  holds: () => true,
};
let room: SettingsProcess | null = null;

const start = async (options: StartOptions = {}): Promise<SettingsProcess> => {
  room = await startSettings(options);
  return room;
};

const restart = async (options: StartOptions = {}): Promise<SettingsProcess> => {
  room = (await room?.restart(options)) ?? null;
  if (!room) throw new Error('nothing was started');
  return room;
};

const change = (process: SettingsProcess, named: Record<string, unknown>) =>
  process.settings.change({ named, namedKey: 'changes', actor });

const sourceOf = (process: SettingsProcess, name: string) =>
  process.settings.list().find((setting) => setting.name === name)?.source;

afterEach(async () => {
  await room?.stop();
  if (room) await removeFolder(room.folder);
  room = null;
});

/** Starts that must be refused leave nothing open; their folder is removed here. */
async function sentenceOfRefusal(options: StartOptions): Promise<string> {
  const error = await startSettings(options).then(
    () => null,
    (reason: unknown) => reason as Error & { folder: string },
  );
  expect(error).toBeInstanceOf(SettingsStartError);
  await removeFolder(error?.folder ?? '');
  return error?.message ?? '';
}

describe('the first start', () => {
  it('takes the environment over as revision 1, with a security record', async () => {
    const environment = {
      FAX_BACKEND: 'cloudone',
      FAX_DISABLED: 'Yes',
      MAX_FILE_SIZE_MB: ' 40 ',
      ALLOWED_ORIGINS: 'https://a.example, https://b.example,',
      FAX_NUMBER: '+1 202 555 0123',
      TIME_ZONE: '',
    };
    const { settings, database } = await start({ environment });
    expect(settings.get('FAX_BACKEND')).toBe('cloudone');
    expect(settings.get('FAX_DISABLED')).toBe(true);
    expect(settings.get('MAX_FILE_SIZE_MB')).toBe(40);
    expect(settings.get('ALLOWED_ORIGINS')).toEqual(['https://a.example', 'https://b.example']);
    expect(settings.get('FAX_NUMBER')).toBe('+12025550123');
    expect(settings.get('TIME_ZONE')).toBeNull();
    expect(settings.snapshot().generation).toBe(1);
    const { items } = await settings.revisions({ limit: 10 });
    expect(items[0]?.actor).toEqual({ id: null, name: 'Environment' });
    const { items: events } = await listSecurityEvents(database.read, { limit: 10 });
    expect(events.map((event) => event.operation)).toEqual(['settings.import']);
  });

  it('begins without a provider when the environment names none', async () => {
    expect((await start()).settings.get('FAX_BACKEND')).toBeNull();
  });

  it('keeps cloudone for an upgraded installation that never chose, and every other choice', async () => {
    expect((await start({ formerDefaultBackend: 'cloudone' })).settings.get('FAX_BACKEND')).toBe('cloudone');
    expect((await restart({ formerDefaultBackend: 'cloudone' })).settings.snapshot().generation).toBe(1);
    await room?.stop();
    if (room) await removeFolder(room.folder);
    await start({ formerDefaultBackend: 'cloudone', environment: { FAX_BACKEND: 'sip' } });
    expect(room?.settings.get('FAX_BACKEND')).toBe('sip');
  });

  it.each([
    ['MAX_FILE_SIZE_MB', 'many', 'it must be a whole number from 1 to 1000.'],
    ['MAX_FILE_SIZE_MB', '0', 'it must be a whole number from 1 to 1000.'],
    ['FAX_DISABLED', 'perhaps', 'it must be true or false.'],
    ['FAX_BACKEND', 'carrier-pigeon', `it must be one of ${BACKEND_NAMES.join(', ')}.`],
    ['PUBLIC_API_URL', 'https://fax.example.com?a=1', 'it must not contain a query.'],
    ['CLOUDONE_API_URL', 'http://collector.example', 'The address must use HTTPS.'],
    ['CLOUDONE_API_SECRET', 'S3cr3t with space', 'it must be 1 to 500 visible characters without spaces.'],
  ])('refuses %s=%s with one sentence that does not repeat the value', async (name, value, reason) => {
    const checks = { CLOUDONE_API_URL: () => 'The address must use HTTPS.' };
    const sentence = await sentenceOfRefusal({ environment: { [name]: value }, checks });
    expect(sentence).toBe(`The environment sets ${name} to something that cannot be used: ${reason}`);
    expect(sentence).not.toContain('S3cr3t');
  });

  it('ignores names of removed parts with a line in the log', async () => {
    const environment = {
      PLUGIN_REGISTRY_PATH: '/x',
      CLOUDTWO_INBOUND_HMAC_SECRET: 'S3cr3t',
      FREESWITCH_ESL_HOST: 'x',
      FAX_BACKEND: 'freeswitch',
    };
    const { settings, log } = await start({ environment });
    expect(settings.get('FAX_BACKEND')).toBeNull();
    const line = log.find((entry) => entry.includes('removed parts')) ?? '';
    for (const name of Object.keys(environment)) expect(line).toContain(name);
    expect(log.join('')).not.toContain('S3cr3t');
  });
});

describe('precedence at a later start', () => {
  it('reads ordinary settings from the installation and says which of the environment are not read', async () => {
    await start({ environment: { MAX_FILE_SIZE_MB: '40', SESSION_IDLE_MINUTES: '60' } });
    const environment = { MAX_FILE_SIZE_MB: '50', SESSION_IDLE_MINUTES: '60', FAX_DISABLED: 'nonsense' };
    const { settings, log } = await restart({ environment });
    expect(settings.get('MAX_FILE_SIZE_MB')).toBe(40);
    expect(settings.get('FAX_DISABLED')).toBe(false);
    const line = log.find((entry) => entry.includes('no longer read')) ?? '';
    expect(JSON.parse(line).names).toEqual(['FAX_DISABLED', 'MAX_FILE_SIZE_MB']);
  });

  it('reads credentials from the environment at every start, before the stored ones, and stores none of them', async () => {
    const process = await start();
    await change(process, { CLOUDONE_API_KEY: 'stored-key', CLOUDONE_API_SECRET: 'stored-secret' });
    const second = await restart({
      environment: {
        CLOUDONE_API_KEY: 'environment-key',
        CLOUDONE_API_URL: 'https://other.example',
        REQUIRE_API_KEY: 'false',
      },
    });
    expect(valueOf(second, 'CLOUDONE_API_KEY')).toBe('environment-key');
    expect(valueOf(second, 'CLOUDONE_API_SECRET')).toBe('stored-secret');
    expect(valueOf(second, 'CLOUDONE_API_URL')).toBeNull();
    expect(sourceOf(second, 'CLOUDONE_API_KEY')).toBe('environment');
    expect(sourceOf(second, 'CLOUDONE_API_SECRET')).toBe('stored');
    expect(sourceOf(second, 'CLOUDONE_CALLBACK_TOKEN')).toBe('default');
    const third = await restart({ environment: {} });
    expect(valueOf(third, 'CLOUDONE_API_KEY')).toBe('stored-key');
  });

  it('does not let a value of the environment be changed without effect', async () => {
    const process = await start({ environment: { CLOUDONE_API_KEY: 'environment-key' } });
    for (const value of ['other-key', null])
      await expect(change(process, { CLOUDONE_API_KEY: value, FAX_DISABLED: true })).rejects.toMatchObject({
        problems: [{ at: ['changes', 'CLOUDONE_API_KEY'], type: 'set_by_environment' }],
      });
    expect(process.settings.get('FAX_DISABLED')).toBe(false);
    expect(await change(process, { CLOUDONE_API_KEY: 'environment-key' })).toEqual({ changed: false });
  });

  it('rule (settings): opens nothing to other computers where the office has decided so, until it decides otherwise', async () => {
    const environment = { HTTPS_ENABLED: 'true', PRINT_TO_FAX: 'network' };
    await start({ environment });
    const decided = await restart({ isNetworkOff: true });
    const { settings } = decided;
    expect([settings.get('HTTPS_ENABLED'), settings.get('PRINT_TO_FAX')]).toEqual([false, 'this_computer']);
    const [https, printer] = ['HTTPS_ENABLED', 'PRINT_TO_FAX'].map((name) =>
      settings.list().find((setting) => setting.name === name),
    );
    expect(https).toMatchObject({ value: false, source: 'office' });
    expect(printer).toMatchObject({ source: 'stored', choices: ['off', 'this_computer'] });
    expect(printer?.help).toContain('Your office has decided that other computers cannot print to it.');
    for (const [name, value] of [
      ['HTTPS_ENABLED', true],
      ['PRINT_TO_FAX', 'network'],
    ] as const)
      await expect(change(decided, { [name]: value, FAX_DISABLED: true })).rejects.toMatchObject({
        problems: [{ at: ['changes', name], type: 'set_by_office' }],
      });
    expect(await change(decided, { HTTPS_ENABLED: false, PRINT_TO_FAX: 'this_computer' })).toEqual({
      changed: false,
    });
    await settings.refresh();
    expect(settings.get('HTTPS_ENABLED')).toBe(false);
    const free = (await restart({ isNetworkOff: false })).settings;
    expect([free.get('HTTPS_ENABLED'), free.get('PRINT_TO_FAX')]).toEqual([true, 'network']);
  });

  it('rule (settings): a gateway of a whole computer keeps HTTPS for its windows where the office closes it to the network', async () => {
    const environment = {
      HTTPS_ENABLED: 'true',
      HTTPS_HOST: '0.0.0.0',
      HTTPS_ANNOUNCED: 'true',
      PRINT_TO_FAX: 'network',
    };
    await start({ environment });
    const decided = await restart({ isNetworkOff: true, hasLocalHttps: true });
    const values = (of: typeof decided) =>
      (['HTTPS_ENABLED', 'HTTPS_HOST', 'HTTPS_ANNOUNCED', 'PRINT_TO_FAX'] as const).map((name) =>
        of.settings.get(name),
      );
    expect(values(decided)).toEqual([true, '127.0.0.1', false, 'this_computer']);
    for (const [name, value] of [
      ['HTTPS_HOST', '192.168.1.20'],
      ['HTTPS_ANNOUNCED', true],
    ] as const)
      await expect(change(decided, { [name]: value })).rejects.toMatchObject({
        problems: [{ at: ['changes', name], type: 'set_by_office' }],
      });
    expect(await change(decided, { HTTPS_ENABLED: false })).toMatchObject({ changed: true });
    const free = await restart({ isNetworkOff: false, hasLocalHttps: true });
    expect(values(free)).toEqual([false, '0.0.0.0', true, 'network']);
  });

  it('refuses a bad credential of the environment at every start', async () => {
    const { folder } = await start();
    await expect(
      startSettings({ folder, environment: { CLOUDTWO_PROJECT_ID: 'a project' } }),
    ).rejects.toThrow(
      'The environment sets CLOUDTWO_PROJECT_ID to something that cannot be used: it must be 1 to 64 letters, digits or hyphens.',
    );
  });
});

describe('what is stored', () => {
  it('is ignored when its name is unknown and replaced by the default when it no longer fits', async () => {
    const { database } = await start();
    const row = (name: string, value: string) => ({ name, value, generation: 1 });
    await database.transaction(async (tx) => {
      const rows = [
        row('FROM_ANOTHER_RELEASE', '1'),
        row('MAX_FILE_SIZE_MB', '"x"'),
        row('FAX_DISABLED', '{broken'),
      ];
      await tx.insertInto('setting').values(rows).execute();
    });
    const { settings, log } = await restart();
    expect(settings.get('MAX_FILE_SIZE_MB')).toBe(25);
    expect(settings.get('FAX_DISABLED')).toBe(false);
    expect(log.join('')).toContain('FROM_ANOTHER_RELEASE');
  });

  it('cannot be moved to another setting when it is sealed', async () => {
    const process = await start();
    await change(process, { CLOUDONE_API_SECRET: 'stored-secret' });
    await process.database.transaction(async (tx) => {
      await tx.updateTable('setting').set({ name: 'CLOUDONE_CALLBACK_TOKEN' }).execute();
    });
    const { settings } = await restart();
    expect(valueOf({ settings }, 'CLOUDONE_CALLBACK_TOKEN')).toBeNull();
    expect(settings.list().find(({ name }) => name === 'CLOUDONE_CALLBACK_TOKEN')).toMatchObject({
      isSet: false,
      source: 'stored',
      warning: 'It cannot be opened with the current data key. Put the right key back, or enter it again.',
    });
  });
});

describe('a change', () => {
  it('is not saved without its security record', async () => {
    const audit = createSecurityAudit({ clock: CLOCK });
    const state = { broken: false };
    const process = await start({
      audit: {
        record: async (tx, event) => {
          await audit.record(tx, event);
          if (state.broken) throw new Error('the record failed');
        },
      },
    });
    state.broken = true;
    await expect(change(process, { MAX_FILE_SIZE_MB: 40 })).rejects.toThrow('the record failed');
    expect(process.settings.get('MAX_FILE_SIZE_MB')).toBe(25);
    expect((await restart()).settings.snapshot()).toMatchObject({
      generation: 1,
      values: { MAX_FILE_SIZE_MB: 25 },
    });
  });
});

describe('several processes on one PostgreSQL', () => {
  let postgresUrl = '';
  const open: SettingsProcess[] = [];
  const startOne = async (options: StartOptions = {}): Promise<SettingsProcess> => {
    const process = await startSettings({ postgresUrl, ...options });
    open.push(process);
    return process;
  };

  beforeEach(async (context) => {
    postgresUrl = await needPostgres(context);
  });

  afterEach(async () => {
    for (const process of open.splice(0)) {
      await process.stop();
      await removeFolder(process.folder);
    }
    if (postgresUrl) await dropPostgresDatabase(postgresUrl);
  });

  it('follow each other and keep restart settings until their own start', async () => {
    const [first, second] = [await startOne(), await startOne()];
    const heard: number[] = [];
    second.settings.onChange((event) => heard.push(event.generation));
    await change(first, { MAX_FILE_SIZE_MB: 40, LOG_LEVEL: 'debug', CLOUDONE_API_KEY: 'key' });
    expect(second.settings.get('MAX_FILE_SIZE_MB')).toBe(25);
    await second.settings.refresh();
    await second.settings.refresh();
    expect(heard).toEqual([2]);
    expect(second.settings.get('MAX_FILE_SIZE_MB')).toBe(40);
    expect(valueOf(second, 'CLOUDONE_API_KEY')).toBe('key');
    expect(second.settings.get('LOG_LEVEL')).toBe('info');
    expect(second.settings.applyState().pendingRestart).toBe(true);
  });

  it('see a change on the next read over HTTP', async () => {
    const [first, second] = [await startOne(), await startOne()];
    await first.call('PUT', '/admin/settings', { changes: { MAX_FILE_SIZE_MB: 40 } });
    const answer = await second.call('GET', '/admin/settings');
    expect(answer.body._meta.generation).toBe(2);
  });

  it('number their revisions without gaps when they save at the same time', async () => {
    const [first, second] = [await startOne(), await startOne()];
    const results = await Promise.all([
      change(first, { MAX_FILE_SIZE_MB: 40 }),
      change(second, { SESSION_IDLE_MINUTES: 60 }),
    ]);
    expect(results).toEqual([{ changed: true }, { changed: true }]);
    for (const { settings } of [first, second]) {
      await settings.refresh();
      expect(settings.snapshot()).toMatchObject({
        generation: 3,
        values: { MAX_FILE_SIZE_MB: 40, SESSION_IDLE_MINUTES: 60 },
      });
    }
  });

  it('refuse the second of two writers that saw the same revision', async () => {
    const [first, second] = [await startOne(), await startOne()];
    const expectedRevisionId = first.settings.snapshot().revisionId;
    const save = (process: SettingsProcess, value: number) =>
      process.settings.change({
        named: { MAX_FILE_SIZE_MB: value },
        namedKey: 'changes',
        expectedRevisionId,
        actor,
      });
    const results = await Promise.allSettled([save(first, 40), save(second, 50)]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ status: 409 });
  });

  it('begin together with one first revision', async () => {
    const environment = { MAX_FILE_SIZE_MB: '40' };
    await startOne({ environment }); // the tables
    const others = await Promise.all([startOne({ environment }), startOne({ environment })]);
    for (const { settings } of others) expect(settings.snapshot().generation).toBe(1);
  });
});
