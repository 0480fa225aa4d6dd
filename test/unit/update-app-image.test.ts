import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appImagePath, environmentOutsideAppImage } from '../../main/environment.ts';
import { keepAppImage, replaceAppImage } from '../../main/updates/app-image.ts';
import { fits } from '../../main/updates/download.ts';
import { isInstallable } from '../../main/updates/install.ts';
import type { Installer } from '../../main/updates/update-record.ts';
import { updateWords } from '../../main/updates/update-words.ts';
import { INSTALLER } from '../setup/update-feed.ts';

const OLD = 'the version that runs';
const NAME = 'Faxdesk-0.1.0-linux-x86_64.AppImage';

let folder: string;
let place: string;
let installer: Installer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-appimage-'));
  mkdirSync(join(folder, 'Programs'));
  place = join(folder, 'Programs', NAME);
  writeFileSync(place, OLD);
  chmodSync(place, 0o755);
  const file = join(folder, 'Faxdesk-0.2.0-linux-x86_64.AppImage');
  writeFileSync(file, INSTALLER, { mode: 0o600 });
  const sha512 = createHash('sha512').update(INSTALLER).digest('hex');
  installer = { version: '0.2.0', file, size: INSTALLER.length, sha512 };
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const programs = () => readdirSync(join(folder, 'Programs'));

describe('a new AppImage', () => {
  it('rule (desktop): takes the path and the name of the old one, executable, with nothing beside it', async () => {
    expect(await replaceAppImage(place, installer)).toBe('');
    expect(programs()).toEqual([NAME]);
    expect(readFileSync(place)).toEqual(INSTALLER);
    expect(statSync(place).mode & 0o777).toBe(0o755);
  });

  it('leaves what runs the file that it has open', async () => {
    const running = openSync(place, 'r');
    try {
      expect(await replaceAppImage(place, installer)).toBe('');
      expect(readFileSync(running, 'utf8')).toBe(OLD);
    } finally {
      closeSync(running);
    }
  });

  it('goes where a link leads, and the link stays', async () => {
    const link = join(folder, 'faxdesk');
    symlinkSync(place, link);
    expect(await replaceAppImage(link, installer)).toBe('');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(place)).toEqual(INSTALLER);
  });

  it('does not mind a part from a computer that was switched off', async () => {
    writeFileSync(join(folder, 'Programs', `.${NAME}.new`), 'half');
    expect(await replaceAppImage(place, installer)).toBe('');
    expect(programs()).toEqual([NAME]);
    expect(readFileSync(place)).toEqual(INSTALLER);
  });

  it('is not taken with another content than its entry describes', async () => {
    writeFileSync(installer.file, Buffer.from(INSTALLER).reverse());
    expect(await replaceAppImage(place, installer)).toBe('it arrived damaged in its folder');
    expect(programs()).toEqual([NAME]);
    expect(readFileSync(place, 'utf8')).toBe(OLD);
  });

  it('is refused with a reason where its folder cannot be written', async (context) => {
    if (process.platform !== 'linux')
      context.skip('a folder in which nobody can write is known on Linux only');
    expect(await replaceAppImage('/sys/kernel/profiling', installer)).toBe(
      'your account cannot change its folder',
    );
  });
});

describe('the AppImage that runs', () => {
  it('is kept for the way back, and can take its place again', async () => {
    const kept = await keepAppImage(place, '0.1.0', join(folder, 'kept'));
    expect(kept).toMatchObject({ version: '0.1.0', file: join(folder, 'kept', 'Faxdesk-0.1.0.AppImage') });
    expect(readdirSync(join(folder, 'kept'))).toEqual(['Faxdesk-0.1.0.AppImage']);
    expect(await fits(kept.file, kept)).toBe(true);
    await replaceAppImage(place, installer);
    expect(await replaceAppImage(place, kept)).toBe('');
    expect(readFileSync(place, 'utf8')).toBe(OLD);
  });

  it('is not the one of another program that has started Faxdesk', () => {
    vi.stubEnv('APPIMAGE', place);
    vi.stubEnv('APPDIR', folder);
    expect(appImagePath()).toBeNull();
    expect(isInstallable(installer.file)).toBe(false);
    vi.stubEnv('APPDIR', dirname(process.execPath));
    expect(appImagePath()).toBe(place);
    expect(isInstallable(installer.file)).toBe(true);
  });

  it('is replaced at once, or else shown, and the dialog says which', () => {
    const state = { kind: 'ready', version: '0.2.0', notes: '', installer, hasWayBack: true } as const;
    expect(updateWords(state, '0.1.0').detail).toContain('choose Show installer');
    vi.stubEnv('APPIMAGE', place);
    vi.stubEnv('APPDIR', dirname(process.execPath));
    expect(updateWords(state, '0.1.0').detail).toContain('starts the new version');
  });

  it('leaves none of its folders to the next one', () => {
    vi.stubEnv('APPIMAGE', place);
    vi.stubEnv('APPDIR', '/tmp/.mount_Fax');
    vi.stubEnv('PATH', '/tmp/.mount_Fax:/tmp/.mount_Fax/usr/sbin:/usr/bin');
    vi.stubEnv('LD_LIBRARY_PATH', '/tmp/.mount_Fax/usr/lib');
    const env = environmentOutsideAppImage();
    expect(env['PATH']).toBe('/usr/bin');
    expect(env['HOME']).toBe(process.env['HOME']);
    for (const name of ['APPIMAGE', 'APPDIR', 'LD_LIBRARY_PATH']) expect(env).not.toHaveProperty(name);
  });
});
