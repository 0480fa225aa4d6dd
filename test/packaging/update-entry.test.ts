import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { parseRelease, type Release } from '../../main/updates/release.ts';
import { isSignedRelease } from '../../main/updates/release-signature.ts';
import { readUpdateKeys, UPDATE_KEYS_FILE } from '../../main/updates/update-keys.ts';
import { PackError } from '../../scripts/pack/pack-error.ts';
import { writeUpdateEntries } from '../../scripts/pack/update-entry.ts';
import { readUpdateSigning, stageUpdateKeys } from '../../scripts/pack/update-signing.ts';
import { INSTALLER, MAKERS, OTHERS } from '../setup/update-feed.ts';

const pemOf = (key: KeyObject, type: 'pkcs8' | 'spki') => String(key.export({ type, format: 'pem' }));
const PRIVATE = pemOf(MAKERS.privateKey, 'pkcs8');
const UNSIGNED = readUpdateSigning({});

it.each([
  ['win32', 'x64', 'Faxdesk-0.2.0-win-x64.exe'],
  ['darwin', 'arm64', 'Faxdesk-0.2.0-mac-arm64.dmg'],
  ['linux', 'x64', 'Faxdesk-0.2.0-linux-x86_64.AppImage'],
] as const)('the entry for %s %s is one that the application reads', async (platform, arch, file) => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-entry-'));
  try {
    const others = ['Faxdesk-0.1.0-win-x64.exe', 'Faxdesk-0.2.0-mac-x64.dmg', 'Faxdesk-0.2.0-mac-arm64.zip'];
    for (const name of others) writeFileSync(join(folder, name), 'another');
    writeFileSync(join(folder, file), INSTALLER);
    const [path = '', own = ''] = await writeUpdateEntries(
      { platform, arch },
      { folder, version: '0.2.0', notes: 'New.' },
      UNSIGNED,
    );
    expect(path).toBe(join(folder, `latest-${platform}-${arch}.json`));
    expect(own).toBe(join(folder, `0.2.0-${platform}-${arch}.json`));
    expect(readFileSync(own)).toEqual(readFileSync(path));
    const release = parseRelease(readFileSync(path, 'utf8'));
    expect(release).toMatchObject({ file, version: '0.2.0', notes: 'New.', size: INSTALLER.length });
    await expect(
      writeUpdateEntries({ platform, arch }, { folder, version: '0.3.0', notes: '' }, UNSIGNED),
    ).rejects.toThrow('There is no installer of 0.3.0');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('rule (desktop): an entry is signed with the keys of the environment, and the application gets their public parts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-entry-'));
  try {
    writeFileSync(join(folder, 'Faxdesk-0.2.0-linux-x86_64.AppImage'), INSTALLER);
    const file = join(folder, 'key.pem');
    writeFileSync(file, pemOf(OTHERS.privateKey, 'pkcs8'));
    const signing = readUpdateSigning({ FAXDESK_UPDATE_KEY: PRIVATE, FAXDESK_UPDATE_KEY_2: file });
    const system = { platform: 'linux', arch: 'x64' } as const;
    const [path = ''] = await writeUpdateEntries(
      system,
      { folder, version: '0.2.0', notes: 'New.' },
      signing,
    );
    const release = parseRelease(readFileSync(path, 'utf8')) as Release;
    await stageUpdateKeys(signing, folder);
    const keys = (await readUpdateKeys(join(folder, 'out/desktop', UPDATE_KEYS_FILE))) ?? [];
    expect(keys.map((key) => isSignedRelease(release, system, [key]))).toEqual([true, true]);
    expect(isSignedRelease(release, { ...system, arch: 'arm64' }, keys)).toBe(false);
    expect(readFileSync(join(folder, 'out/desktop', UPDATE_KEYS_FILE), 'utf8')).not.toContain('PRIVATE');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a key is a PEM text, the Base64 of one or a file with it, and the second one may be public', () => {
  const count = (environment: Record<string, string>) => {
    const { privateKeys, publicKeys } = readUpdateSigning(environment);
    return [privateKeys.length, publicKeys.length];
  };
  const base64 = Buffer.from(PRIVATE).toString('base64');
  const spare = pemOf(OTHERS.publicKey, 'spki');
  expect(count({ FAXDESK_UPDATE_KEY: '' })).toEqual([0, 0]);
  expect(count({ FAXDESK_UPDATE_KEY: base64 })).toEqual([1, 1]);
  expect(count({ FAXDESK_UPDATE_KEY: base64, FAXDESK_UPDATE_KEY_2: spare })).toEqual([1, 2]);
  const rsa = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'pkcs8');
  for (const refused of [
    { FAXDESK_UPDATE_KEY: spare },
    { FAXDESK_UPDATE_KEY_2: PRIVATE },
    { FAXDESK_UPDATE_KEY: rsa },
    { FAXDESK_UPDATE_KEY: '/nowhere/key.pem' },
  ])
    expect(() => readUpdateSigning(refused)).toThrow(PackError);
});

test('an application without keys needs no signature, and one with a damaged file looks for nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-entry-'));
  try {
    await stageUpdateKeys(UNSIGNED, folder);
    const path = join(folder, UPDATE_KEYS_FILE);
    expect(await readUpdateKeys(path)).toEqual([]);
    for (const text of ['', '[]', '["no key"]']) {
      writeFileSync(path, text);
      expect(await readUpdateKeys(path)).toBeNull();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
