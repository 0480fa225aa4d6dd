import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readDataKey } from '../../main/data-key.ts';
import { SEALED_KEY_MARK } from '../../shared/data-folder.ts';
import { app } from './standin/app.ts';
import { settings } from './standin/settings.ts';

vi.mock('electron', () => import('./standin/safe-storage.ts'));

let folder: string;
beforeEach(async () => {
  app.boot();
  settings.keyring = 'gnome_libsecret';
  folder = await mkdtemp(join(settings.appData, 'data-'));
});
afterEach(() => rm(folder, { recursive: true }));

const path = () => join(folder, 'data.key');
const kept = async () => (await readFile(path(), 'utf8')).trim();
const hex = (key: Uint8Array | null) => (key === null ? null : Buffer.from(key).toString('hex'));
const PLAIN = Buffer.alloc(32, 7);

it('a data key is made once, sealed, and the same at every start', async () => {
  const key = await readDataKey(folder);
  expect(key).toHaveLength(32);
  expect(await kept()).toMatch(new RegExp(`^${SEALED_KEY_MARK}`, 'u'));
  expect(await kept()).not.toContain(Buffer.from(key ?? []).toString('base64'));
  expect(hex(await readDataKey(folder))).toBe(hex(key));
});

it('a plain data key, of a gateway without a window or of a backup, is taken over and sealed', async () => {
  await readDataKey(folder);
  await writeFile(path(), `${PLAIN.toString('base64')}\n`);
  expect(hex(await readDataKey(folder))).toBe(hex(PLAIN));
  expect(await kept()).toMatch(new RegExp(`^${SEALED_KEY_MARK}`, 'u'));
  expect(hex(await readDataKey(folder))).toBe(hex(PLAIN));
});

it('a data key that is missing beside a store is not made anew: the gateway says so', async () => {
  await readDataKey(folder);
  await rm(path());
  await writeFile(join(folder, 'faxdesk.sqlite'), 'a store');
  expect(await readDataKey(folder)).toBeNull();
  expect(await readdir(folder)).toEqual(['faxdesk.sqlite']);
});

it('a keyring that is none seals nothing: the gateway keeps the key in a file of its own', async () => {
  settings.keyring = 'basic_text';
  expect(await readDataKey(folder)).toBeNull();
  await writeFile(path(), `${PLAIN.toString('base64')}\n`);
  expect(await readDataKey(folder)).toBeNull();
  expect(await kept()).toBe(PLAIN.toString('base64'));
});

it('a keychain that gives nothing out stops the start and leaves the sealed key alone', async () => {
  await readDataKey(folder);
  const sealed = await kept();
  settings.keyring = 'locked';
  await expect(readDataKey(folder)).rejects.toThrow('Nothing was changed. Unlock the keychain and try again');
  expect(await kept()).toBe(sealed);
});

it('a damaged key is left for the gateway to explain', async () => {
  await writeFile(path(), 'damaged\n');
  expect(await readDataKey(folder)).toBeNull();
  expect(await kept()).toBe('damaged');
});

it('no key is created or accepted while a restore that was interrupted is not finished', async () => {
  await writeFile(join(folder, 'restore-forward.json'), '{}');
  expect(await readDataKey(folder)).toBeNull();
  expect(await readdir(folder)).toEqual(['restore-forward.json']);
});
