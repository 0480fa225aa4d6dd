import { chmod, chown, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { setupOfSettings } from '../../server/features/telephony/configuration/setup-of-settings.ts';
import type { TelephonyCheck, TelephonyLine } from '../../shared/api/telephony.ts';
import { callFor, type LineGateway, lineSettings, startLineGateway } from './outbound-line-setup.ts';

let line: LineGateway;
beforeAll(async () => {
  line = await startLineGateway({ TRUNK_STATION_ID: '' });
});
afterAll(async () => {
  await line.gateway.close();
  await line.engine.close();
});

async function facts(): Promise<z.infer<typeof TelephonyLine>> {
  const answer = await line.gateway.request('GET', '/telephony/line');
  expect(answer.status).toBe(200);
  return (await answer.json()) as z.infer<typeof TelephonyLine>;
}

async function write(order: Record<string, string> = {}): Promise<string> {
  const answer = await line.gateway.request('POST', '/telephony/configuration', { json: order });
  expect(answer.status).toBe(200);
  const { folder } = (await answer.json()) as { folder: string };
  return folder;
}

async function problems(): Promise<[string, string][]> {
  const answer = await line.gateway.request('POST', '/telephony/check', { json: { loop: true } });
  const { ok, checks } = (await answer.json()) as z.infer<typeof TelephonyCheck>;
  const wrong = checks.filter((check) => !check.ok);
  expect(ok).toBe(wrong.length === 0);
  return wrong.map(({ name, detail }) => [name, detail]);
}

/** The engine has loaded what is written now. */
async function load(): Promise<void> {
  const text = await readFile(join(await write(), 'extensions.conf'), 'utf8');
  line.engine.line.fingerprint = /^FAXDESK_CONFIGURATION=(\w+)$/mu.exec(text)?.[1] ?? null;
}

test('the folder of the configuration, and whether it is that of the settings, is reported before and after it was written', async () => {
  const { dataFolder, url } = line.gateway;
  const folder = join(dataFolder, 'telephony', 'configuration');
  expect(await facts()).toEqual({
    problem: null,
    data_folder: dataFolder,
    engine_folder: dataFolder,
    gateway_url: url,
    platform: process.platform,
    configuration: { folder, written_at: null, is_current: false },
  });
  expect(await write()).toBe(folder);
  const script = await readFile(join(folder, 'faxdesk-hand-over.sh'), 'utf8');
  // Without a configured address, the engine reaches the gateway on its own computer.
  expect(script).toContain(`address='${url}'\n`);
  const { configuration } = await facts();
  expect(configuration).toEqual({ folder, written_at: expect.any(String), is_current: true });
  await line.gateway.set({ TRUNK_STATION_ID: 'EXAMPLE' });
  expect((await facts()).configuration.is_current).toBe(false);
  await line.gateway.set({ TRUNK_STATION_ID: null, FAX_NUMBER: '+12025550101' });
  expect((await facts()).configuration.is_current).toBe(false);
  await line.gateway.set({ FAX_NUMBER: '+12025550100' });
  expect((await facts()).configuration.is_current).toBe(true);
});

describe('the check of the line', () => {
  beforeEach(async () => {
    const { engine } = line;
    engine.line.missingModules.clear();
    engine.line.denied.clear();
    engine.line.registration = 'Registered';
    await load();
  });

  test('finds nothing wrong where everything is right', async () => {
    expect(await problems()).toEqual([]);
  });

  test('says that the engine has no fax modules', async () => {
    line.engine.line.missingModules.add('res_fax').add('res_fax_spandsp');
    expect(await problems()).toEqual([
      [
        'modules',
        'Asterisk has not loaded res_fax and res_fax_spandsp. Install its fax modules (on Debian and Ubuntu in the package asterisk-modules), and restart Asterisk.',
      ],
    ]);
    line.engine.line.missingModules.clear();
    line.engine.line.missingModules.add('func_db');
    expect(await problems()).toEqual([
      [
        'modules',
        'Asterisk has not loaded func_db. Install what is missing, let modules.conf load it, and restart Asterisk.',
      ],
    ]);
  });

  test('says that the engine does not get to the data folder, or what it may not do there', async () => {
    const { dataFolder } = line.gateway;
    for (const name of ['Folder', 'Inbound', 'Secret', 'Outgoing']) line.engine.line.denied.add(name);
    expect(await problems()).toEqual([
      [
        'folder',
        `The Asterisk user cannot reach ${dataFolder}. Share the data folder there, give the user’s group access to it and to the folders above it, or correct “Data folder at the engine”.`,
      ],
    ]);
    line.engine.line.denied.delete('Folder');
    line.engine.line.denied.delete('Secret');
    expect(await problems()).toEqual([
      [
        'folder',
        `The Asterisk user cannot write to inbound or read the files in telephony/outgoing in ${dataFolder}. Share inbound and telephony with its group.`,
      ],
    ]);
  });

  test('says that the engine runs with other settings, or without a configuration of Faxdesk', async () => {
    const write =
      'Write it under “Phone line” in Settings or with "faxdesk telephony config", and restart Asterisk.';
    line.engine.line.fingerprint = '0123456789abcdef';
    expect(await problems()).toEqual([
      ['configuration', `Settings were changed since the Asterisk configuration was written. ${write}`],
    ]);
    line.engine.line.fingerprint = null;
    expect(await problems()).toEqual([
      ['configuration', `Asterisk does not use a configuration from Faxdesk. ${write}`],
    ]);
  });

  test('says that the carrier refuses the registration', async () => {
    line.engine.line.registration = 'Rejected';
    expect(await problems()).toEqual([
      ['trunk', 'The carrier refuses the registration. Check user and password of the trunk.'],
    ]);
  });

  test('says that the password of the engine is wrong, and that no engine answers', async () => {
    const { account, port } = line.engine;
    const { password } = account;
    account.password = 'another-secret';
    expect(await problems()).toEqual([
      [
        'engine',
        'The telephone engine refuses the user or the password. Write its configuration again and restart it, or compare them with its manager.conf.',
      ],
    ]);
    account.password = password;
    await line.engine.close();
    expect(await problems()).toEqual([
      [
        'engine',
        `No telephone engine answers at 127.0.0.1:${port}. Check that Asterisk runs and that manager.conf is in place.`,
      ],
    ]);
    await line.engine.open();
  });
});

describe('a folder that is shared with the group of an engine under another account', () => {
  /** Any group that is not that of the account. */
  const OTHER_GROUP = 54_321;
  const isRoot = process.getuid?.() === 0;

  test.runIf(isRoot)(
    'rule (telephony): only files that the engine reads are shared with the group of its account',
    async () => {
      const { dataFolder } = line.gateway;
      const folder = join(dataFolder, 'telephony');
      await load();
      await chown(folder, 0, OTHER_GROUP);
      await chmod(folder, 0o2750);
      await rm(join(folder, 'outgoing'), { recursive: true, force: true });
      expect(await problems()).toEqual([]);
      const shared = async (path: string) => {
        const { mode, gid } = await stat(path);
        return [mode & 0o777, gid];
      };
      expect(await shared(join(folder, 'inbound-secret'))).toEqual([0o640, OTHER_GROUP]);
      const { call } = await callFor(line);
      expect(await shared(join(folder, 'outgoing', `${call}.tiff`))).toEqual([0o640, OTHER_GROUP]);
      expect(await readdir(join(dataFolder, 'work'))).toEqual([]);
      line.engine.deliver(call);
    },
  );
});

test('a data folder of Windows needs its path at the engine', () => {
  const given = { ...lineSettings({ port: 5038, account: { password: 'secret' } } as never) };
  const settings = {
    ...given,
    TELEPHONY_HOST: '127.0.0.1',
    TELEPHONY_PORT: 5038,
    TELEPHONY_USER: 'faxdesk',
    TELEPHONY_ENGINE_FOLDER: null,
    TRUNK_AUTHENTICATION: 'registration',
  } as never;
  const surroundings = { dataFolder: 'C:\\Users\\Jane Doe\\Faxdesk', ownNumber: null, sources: [] };
  expect(() => setupOfSettings(settings, surroundings, { gateway_url: 'http://127.0.0.1:8080' })).toThrow(
    'Asterisk cannot find C:\\Users\\Jane Doe\\Faxdesk under this path: set “Data folder at the engine”, such as /mnt/c/Users/Jane Doe/Faxdesk.',
  );
});
