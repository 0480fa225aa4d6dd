import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BootError, dataFolderOf, readBoot } from '../../server/config/boot.ts';
import { processEnvironment, readEnvironment } from '../../server/config/env.ts';
import { dataKey, installationKey, KEY_FILES } from '../../server/config/secrets.ts';
import { createLogger } from '../../server/platform/logger.ts';

let folder: string;
let log: string[];
const logger = createLogger({ write: (line) => log.push(line) });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-config-'));
  log = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the environment', () => {
  it('is the .env file of the data folder, overruled by the process', async () => {
    await writeFile(join(folder, '.env'), 'API_KEY=file\nPORT=1\nHOST=\n');
    expect(await readEnvironment(folder, { API_KEY: 'process' })).toEqual({ API_KEY: 'process', PORT: '1' });
  });

  it('is the process alone when there is no file', async () => {
    expect(await readEnvironment(folder, { A: '1' })).toEqual({ A: '1' });
  });

  it('reads quotes, comments, exports, equals signs, Windows line ends and a byte order mark', async () => {
    const lines = [
      '\uFEFFFIRST=one',
      '# a comment',
      'QUOTED="two words" # after',
      "SINGLE='a#b'",
      'export EXPORTED=yes',
      'EQUALS=a=b==',
      'SPACED = around ',
      'BLANK=',
      'BLANK_QUOTED="  "',
    ];
    await writeFile(join(folder, '.env'), lines.join('\r\n'));
    expect(await readEnvironment(folder, {})).toEqual({
      FIRST: 'one',
      QUOTED: 'two words',
      SINGLE: 'a#b',
      EXPORTED: 'yes',
      EQUALS: 'a=b==',
      SPACED: 'around',
    });
  });

  it('says why when the file cannot be read', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file');
    await expect(readEnvironment(folder, {})).rejects.toThrow('ENOTDIR');
  });

  it('of the process is copied without blank values', () => {
    const script = `import { processEnvironment } from ${JSON.stringify(resolve('server/config/env.ts'))};
      process.stdout.write(JSON.stringify(processEnvironment()));`;
    const env = { PATH: process.env['PATH'] ?? '', API_KEY: ' ', PORT: '8' };
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env,
      encoding: 'utf8',
    });
    const seen = JSON.parse(child.stdout) as Record<string, string>;
    expect(seen['PORT']).toBe('8');
    expect(seen).not.toHaveProperty('API_KEY');
    expect(processEnvironment()['PATH']).toBe(process.env['PATH']);
  });
});

describe('boot options', () => {
  const boot = (own: Record<string, string>, overrides = {}) =>
    readBoot({ dataFolder: folder, ...overrides }, own);

  it('refuse a proxy that is none, in one sentence', async () => {
    await expect(readBoot({ dataFolder: folder }, { HTTPS_PROXY: 'socks5://proxy.example' })).rejects.toThrow(
      new BootError('HTTPS_PROXY must be the http:// or https:// address of a proxy.'),
    );
  });

  it('have safe defaults', async () => {
    expect((await boot({})).options).toEqual({
      acceptDataKey: false,
      proxies: { https: null, http: null, except: [] },
      acceptEmptyStore: false,
      dataFolder: folder,
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: null,
      severalGateways: false,
      apiKey: null,
      requireApiKey: true,
      dataKey: null,
      folders: [],
      isNetworkOff: false,
      hasLocalHttps: false,
      unused: null,
    });
  });

  it('come from the command line before the environment before the file', async () => {
    await writeFile(
      join(folder, '.env'),
      'HOST=0.0.0.0\nPORT=9000\nAPI_KEY=the-installation-key-of-this-test-file\n',
    );
    expect((await boot({ PORT: '9001' })).options).toMatchObject({
      host: '0.0.0.0',
      port: 9001,
      apiKey: 'the-installation-key-of-this-test-file',
    });
    expect((await boot({ PORT: '9001' }, { port: 0, host: '[::1]' })).options).toMatchObject({
      port: 0,
      host: '::1',
    });
    // As the office has decided.
    expect((await boot({ HOST: '0.0.0.0' }, { isNetworkOff: true })).options).toMatchObject({
      host: '127.0.0.1',
      isNetworkOff: true,
    });
    const { options, environment } = await readBoot({}, { FAXDESK_DATA: folder, MAX_FILE_SIZE_MB: '4' });
    expect(options).toMatchObject({ dataFolder: folder, port: 9000 });
    expect(environment).toMatchObject({ MAX_FILE_SIZE_MB: '4', HOST: '0.0.0.0' });
  });

  it.each([
    ['PORT', 'http', 'PORT must be a number from 0 to 65535.'],
    ['PORT', '65536', 'PORT must be a number from 0 to 65535.'],
    ['HOST', 'two hosts', 'HOST must be a host name or an address'],
    ['DATABASE_URL', 'mysql://u:S3cr3t@h/d', 'DATABASE_URL must be a postgres:// address'],
    ['API_KEY', 'S3cr3t key of more than 32 characters', 'API_KEY must be 1 to 512 visible characters'],
    ['FAXDESK_DATA_KEY', 'S3cr3t', 'FAXDESK_DATA_KEY must be 32 bytes written in base64.'],
  ])('refuse %s=%s with one sentence that does not repeat the value', async (name, value, sentence) => {
    const failure = await boot({ [name]: value }).catch((error: unknown) => error as BootError);
    expect(failure).toBeInstanceOf(BootError);
    expect((failure as BootError).message).toContain(sentence);
    expect((failure as BootError).message).not.toContain('S3cr3t');
  });

  it('accept a PostgreSQL address and a data key', async () => {
    const key = Buffer.alloc(32, 1);
    const own = { DATABASE_URL: 'postgresql://u:p@127.0.0.1/d', FAXDESK_DATA_KEY: key.toString('base64') };
    const { options } = await boot(own);
    expect(options.databaseUrl).toBe('postgresql://u:p@127.0.0.1/d');
    expect(Buffer.from(options.dataKey ?? []).equals(key)).toBe(true);
  });

  it('name the data folder', () => {
    expect(dataFolderOf({ FAXDESK_DATA: 'here' })).toBe(resolve('here'));
    expect(dataFolderOf({ FAXDESK_DATA: 'here' }, { dataFolder: 'there' })).toBe(resolve('there'));
  });
});

describe('the installation key', () => {
  const read = (
    apiKey: string | null,
    more: { requireApiKey?: boolean; host?: string; hasOwner?: boolean } = {},
  ) =>
    installationKey({
      apiKey,
      requireApiKey: true,
      host: '127.0.0.1',
      hasOwner: false,
      dataFolder: folder,
      logger,
      ...more,
    });

  it('is the one of the environment, without a file', async () => {
    expect(await read('from-environment')).toBe('from-environment');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is made once with 256 bits in an owner-only file, and is not logged', async () => {
    const key = await read(null);
    expect(key).toMatch(/^[\w-]{43}$/u);
    expect(await read(null)).toBe(key);
    expect(await readdir(folder)).toEqual([KEY_FILES.installation]);
    if (process.platform !== 'win32')
      expect((await stat(join(folder, KEY_FILES.installation))).mode & 0o777).toBe(0o600);
    expect(log.join('')).not.toContain(key);
  });

  it('does not exist in open mode, and none is made', async () => {
    expect(await read(null, { requireApiKey: false })).toBeNull();
    expect(await read(null, { requireApiKey: false, host: '::1' })).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    { apiKey: 'k', host: '127.0.0.1', hasOwner: false, why: 'API_KEY is set.' },
    {
      apiKey: null,
      host: '0.0.0.0',
      hasOwner: false,
      why: 'HOST is 0.0.0.0, which other computers can reach.',
    },
    { apiKey: null, host: '127.0.0.1', hasOwner: true, why: 'this installation has an owner.' },
  ])('is needed although the environment says not: $why', async ({ apiKey, why, ...more }) => {
    expect(await read(apiKey, { requireApiKey: false, ...more })).toMatch(/^.+$/u);
    expect(log.join('')).toContain(why);
  });

  it('is needed although the environment says not, where there is a file', async () => {
    const key = await read(null);
    expect(await read(null, { requireApiKey: false })).toBe(key);
    expect(log.join('')).toContain('there is an installation key in ');
  });

  it('is one and the same for processes that start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => read(null)));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(folder)).toEqual([KEY_FILES.installation]);
  });

  it('is refused with a sentence when its file is empty', async () => {
    await writeFile(join(folder, KEY_FILES.installation), '', { mode: 0o600 });
    await expect(read(null)).rejects.toThrow('is not usable; delete the file to get a new key.');
  });
});

describe('the data key', () => {
  const find = (mayMake: boolean, given: Uint8Array | null = null) =>
    dataKey({ configured: given, dataFolder: folder, mayMake, logger });
  const read = async (given: Uint8Array | null = null) => (await find(true, given)) ?? Buffer.alloc(0);

  it('is made once as 32 bytes in an owner-only file', async () => {
    const key = await read();
    expect(key).toHaveLength(32);
    expect(Buffer.from(await read()).equals(Buffer.from(key))).toBe(true);
    const text = (await readFile(join(folder, KEY_FILES.data), 'utf8')).trim();
    expect(text).toBe(Buffer.from(key).toString('base64'));
    expect(log.join('')).not.toContain(text);
  });

  it('is not made where it may not be', async () => {
    expect(await find(false)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    const key = await read();
    expect(await find(false)).toEqual(key);
  });

  it('is the given one, without a file', async () => {
    expect(await read(Buffer.alloc(32, 3))).toEqual(Buffer.alloc(32, 3));
    expect(await readdir(folder)).toEqual([]);
    await expect(read(Buffer.alloc(31))).rejects.toThrow('The data key must be 32 bytes.');
  });

  it('is closed to others when its file was open, and the log says so', async (context) => {
    if (process.platform === 'win32') return context.skip('permissions are those of Windows');
    const key = await read();
    const path = join(folder, KEY_FILES.data);
    await chmod(path, 0o644);
    expect(await read()).toEqual(key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(log.join('')).toContain('was open to other accounts');
  });

  it('is never replaced when its file is damaged', async () => {
    await writeFile(join(folder, KEY_FILES.data), 'short', { mode: 0o600 });
    await expect(read()).rejects.toThrow('is damaged; restore that file from a backup.');
    expect(await readFile(join(folder, KEY_FILES.data), 'utf8')).toBe('short');
  });
});
