import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import { type Storage, StorageMissingError, StorageNameError } from '../../server/adapters/storage/port.ts';
import { writeDurably } from '../../server/platform/durable-file.ts';

let folder: string;
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-storage-'));
  storage = await createLocalStorage(join(folder, 'documents'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function read(name: string): Promise<string> {
  const { stream, sizeBytes } = await storage.open(name);
  const content = await buffer(stream);
  expect(content.length).toBe(sizeBytes);
  return content.toString();
}

async function storedNames(prefix = ''): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of storage.list(prefix)) names.push(name);
  return names.sort();
}

/** A new folder on another device than this one: temporary files are in memory or on the disk. */
async function folderElsewhere(folder: string): Promise<string | null> {
  const { dev } = await stat(folder);
  for (const parent of ['/dev/shm', '/tmp']) {
    const made = await mkdtemp(`${parent}/faxdesk-`).catch(() => null);
    if (made === null) continue;
    if ((await stat(made)).dev !== dev) return made;
    await rm(made, { recursive: true });
  }
  return null;
}

describe('local storage', () => {
  it('keeps bytes under a nested name as an owner-only file and gives them back', async () => {
    await storage.write('outbound/a1/document.tif', Buffer.from('one'));
    expect(await read('outbound/a1/document.tif')).toBe('one');
    expect(await storage.exists('outbound/a1/document.tif')).toBe(true);
    const path = storage.localPath('outbound/a1/document.tif') ?? '';
    expect(path.startsWith(storage.root ?? 'none')).toBe(true);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('replaces an older content and leaves no temporary file', async () => {
    await storage.write('a', Buffer.from('old'));
    await storage.write('a', Buffer.from('new'));
    expect(await read('a')).toBe('new');
    expect(await readdir(storage.root ?? '')).toEqual(['a']);
  });

  it('moves a finished file on the same device', async () => {
    const source = join(folder, 'upload');
    await writeFile(source, 'uploaded');
    const { ino } = await stat(source);
    await storage.write('inbound/x.pdf', { path: source });
    expect((await stat(storage.localPath('inbound/x.pdf') ?? '')).ino).toBe(ino);
    await expect(stat(source)).rejects.toThrow('ENOENT');
  });

  it('copies a finished file from another device', async (context) => {
    const other = await folderElsewhere(folder);
    if (other === null) return context.skip('there is no second device');
    try {
      await writeFile(join(other, 'upload'), 'from elsewhere');
      await storage.write('x.pdf', { path: join(other, 'upload') });
      expect(await read('x.pdf')).toBe('from elsewhere');
      expect(await readdir(other)).toEqual([]);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });

  it('copies a finished file that stays, which survives when the other is removed', async () => {
    const source = join(folder, 'prepared');
    await writeFile(source, 'prepared', { mode: 0o600 });
    await storage.copy('fax/x.pdf', source);
    await storage.copy('fax/y.pdf', source);
    expect(await readFile(source, 'utf8')).toBe('prepared');
    await rm(source);
    await storage.remove('fax/y.pdf');
    expect(await read('fax/x.pdf')).toBe('prepared');
    if (process.platform !== 'win32')
      expect((await stat(storage.localPath('fax/x.pdf') ?? '')).mode & 0o777).toBe(0o600);
    await expect(storage.copy('fax/z.pdf', source)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await storedNames()).toEqual(['fax/x.pdf']);
  });

  it('replaces an older content by a copy', async () => {
    await storage.write('a', Buffer.from('old'));
    await writeDurably(join(folder, 'new'), 'new');
    await storage.copy('a', join(folder, 'new'));
    expect(await read('a')).toBe('new');
    expect(await readdir(storage.root ?? '')).toEqual(['a']);
  });

  it('copies a file that stays from another device', async (context) => {
    const other = await folderElsewhere(folder);
    if (other === null) return context.skip('there is no second device');
    try {
      await writeDurably(join(other, 'prepared'), 'from elsewhere');
      await storage.copy('x.pdf', join(other, 'prepared'));
      expect(await read('x.pdf')).toBe('from elsewhere');
      expect(await readdir(other)).toEqual(['prepared']);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });

  it('passes on ENOSPC with its code and keeps the old content', async (context) => {
    const full = join(folder, 'full');
    await mkdir(full);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'faxdesk-test', full]);
    if (mounted.status !== 0) return context.skip('a small file system can only be mounted by root');
    try {
      const small = await createLocalStorage(full);
      await small.write('a', Buffer.from('old'));
      await expect(small.write('a', Buffer.alloc(200_000))).rejects.toMatchObject({ code: 'ENOSPC' });
      await writeFile(join(folder, 'upload'), Buffer.alloc(200_000));
      await expect(small.write('a', { path: join(folder, 'upload') })).rejects.toMatchObject({
        code: 'ENOSPC',
      });
      expect(await readdir(full)).toEqual(['a']);
      expect(await readFile(join(full, 'a'), 'utf8')).toBe('old');
      expect((await stat(join(folder, 'upload'))).size).toBe(200_000);
    } finally {
      spawnSync('umount', [full]);
    }
  });

  it.each([
    '',
    '.',
    '..',
    '../a',
    'a/../../b',
    'a//b',
    '/etc/passwd',
    'a/',
    'C:\\a',
    'a b',
    'ä',
    'a\0b',
    '.new-1-a',
    'x'.repeat(201),
  ])('refuses the name %j', async (name) => {
    await expect(storage.write(name, Buffer.from('x'))).rejects.toThrow(StorageNameError);
    await expect(storage.open(name)).rejects.toThrow(StorageNameError);
    await expect(storage.exists(name)).rejects.toThrow(StorageNameError);
    await expect(storage.remove(name)).rejects.toThrow(StorageNameError);
    expect(() => storage.localPath(name)).toThrow(StorageNameError);
  });

  it('does not follow a link out of its folder', async () => {
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside/secret'), 'secret');
    await symlink(join(folder, 'outside'), join(storage.root ?? '', 'way-out'));
    await symlink(join(folder, 'outside/secret'), join(storage.root ?? '', 'secret'));
    await expect(storage.write('way-out/a', Buffer.from('x'))).rejects.toThrow(StorageNameError);
    await expect(storage.open('way-out/secret')).rejects.toThrow(StorageNameError);
    await expect(storage.open('secret')).rejects.toThrow(StorageMissingError);
    await storage.write('secret', Buffer.from('replaced the link'));
    expect(await readFile(join(folder, 'outside/secret'), 'utf8')).toBe('secret');
    expect(await storedNames()).toEqual(['secret']);
  });

  it('removes what is there and accepts what is not', async () => {
    await storage.write('a/b', Buffer.from('x'));
    await storage.remove('a/b');
    await storage.remove('a/b');
    await storage.remove('never/was');
    expect(await storage.exists('a/b')).toBe(false);
    await expect(storage.open('a/b')).rejects.toThrow(StorageMissingError);
    expect(await storage.exists('a')).toBe(false);
  });

  it('lists finished files by the start of their name', async () => {
    for (const name of ['inbound/1.tif', 'inbound/2.tif', 'inbound-old/3.tif', 'outbound/4.tif', 'top']) {
      await storage.write(name, Buffer.from(name));
    }
    await writeFile(join(storage.root ?? '', '.new-abc-half'), 'half');
    expect(await storedNames()).toEqual([
      'inbound-old/3.tif',
      'inbound/1.tif',
      'inbound/2.tif',
      'outbound/4.tif',
      'top',
    ]);
    expect(await storedNames('inbound/')).toEqual(['inbound/1.tif', 'inbound/2.tif']);
    expect(await storedNames('inbound/2')).toEqual(['inbound/2.tif']);
    expect(await storedNames('in')).toEqual(['inbound-old/3.tif', 'inbound/1.tif', 'inbound/2.tif']);
    expect(await storedNames('none')).toEqual([]);
    for await (const file of storage.list('top')) expect(file).toEqual({ name: 'top', sizeBytes: 3 });
  });
});

describe('writing durably', () => {
  it('sets the wanted permission and keeps the old file when the folder refuses', async (context) => {
    const path = join(folder, 'key');
    await writeDurably(path, 'one', 0o640);
    expect(await readFile(path, 'utf8')).toBe('one');
    if (process.platform === 'win32') return context.skip('permissions are those of Windows');
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await mkdir(join(folder, 'key-folder/key'), { recursive: true });
    await expect(writeDurably(join(folder, 'key-folder/key'), 'two')).rejects.toMatchObject({
      code: 'EISDIR',
    });
    expect(await readdir(join(folder, 'key-folder'))).toEqual(['key']);
    await chmod(path, 0o600);
  });
});
