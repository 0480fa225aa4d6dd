import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanAppImage } from '../../main/updates/app-image.ts';

const NAME = 'Faxdesk-0.1.0-linux-x86_64.AppImage';
const [OLD, NEW] = [Buffer.alloc(100_000, 'old'), Buffer.alloc(120_000, 'new')];
const CODE = pathToFileURL(join(import.meta.dirname, '../../main/updates/app-image.ts')).href;

/**
 * Runs one function of the replacement and kills the process, as a switched-off computer does, at the call of the file system with this
 * number: before it, or after it, which for a copy is in its middle.
 */
const PROGRAM = `
import { createRequire, syncBuiltinESMExports } from 'node:module';
const [code, work, at, when, argument] = process.argv.slice(1);
const fs = createRequire(import.meta.url)('node:fs/promises');
const { readFileSync, writeFileSync } = createRequire(import.meta.url)('node:fs');
let calls = 0;
const die = () => process.kill(process.pid, 'SIGKILL');
const watch = (target, name) => {
  const original = target[name];
  target[name] = async function (...words) {
    calls += 1;
    const isLast = calls === Number(at);
    if (isLast && when === 'before') die();
    if (isLast && name === 'copyFile') {
      writeFileSync(words[1], readFileSync(words[0]).subarray(0, 50_000));
      die();
    }
    const result = await original.apply(this, words);
    if (isLast) die();
    if (name === 'open') for (const each of ['chmod', 'sync', 'close']) watch(result, each);
    return result;
  };
};
for (const name of ['copyFile', 'mkdir', 'open', 'realpath', 'rename', 'rm', 'stat']) watch(fs, name);
syncBuiltinESMExports();
const { keepAppImage, replaceAppImage } = await import(code);
const { place, installer, kept } = JSON.parse(argument);
const result = work === 'keep' ? (await keepAppImage(place, '0.1.0', kept), '') : await replaceAppImage(place, installer);
process.stdout.write(JSON.stringify({ result, calls }));
`;

let folder: string;
let place: string;
let kept: string;
let installer: { version: string; file: string; size: number; sha512: string };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-kills-'));
  mkdirSync(join(folder, 'Programs'));
  place = join(folder, 'Programs', NAME);
  kept = join(folder, 'kept');
  writeFileSync(place, OLD);
  chmodSync(place, 0o755);
  const file = join(folder, 'Faxdesk-0.2.0-linux-x86_64.AppImage');
  writeFileSync(file, NEW, { mode: 0o600 });
  installer = {
    version: '0.2.0',
    file,
    size: NEW.length,
    sha512: createHash('sha512').update(NEW).digest('hex'),
  };
});

afterEach(() => rmSync(folder, { recursive: true }));

function run(work: 'keep' | 'replace', at: number, when: string) {
  const words = [CODE, work, String(at), when, JSON.stringify({ place, installer, kept })];
  const { signal, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', PROGRAM, ...words],
    { encoding: 'utf8' },
  );
  return {
    signal,
    stderr,
    output: stdout === '' ? null : (JSON.parse(stdout) as { result: string; calls: number }),
  };
}

/** Kills at every call, and checks after each kill. `version` is the one under the path of the AppImage. */
async function killEverywhere(work: 'keep' | 'replace', check: (version: string, at: string) => void) {
  const { output, stderr } = run(work, 0, 'never');
  expect(output?.result, stderr).toBe('');
  for (let at = 1; at <= (output?.calls ?? 0); at += 1)
    for (const when of ['before', 'within']) {
      rmSync(kept, { recursive: true, force: true });
      writeFileSync(place, OLD);
      expect(run(work, at, when).signal, `${when} call ${at}`).toBe('SIGKILL');
      const bytes = readFileSync(place);
      const other = bytes.equals(NEW) ? 'new' : 'broken';
      check(bytes.equals(OLD) ? 'old' : other, `${when} call ${at}`);
      await cleanAppImage(place, kept);
      expect(readdirSync(join(folder, 'Programs')), `${when} call ${at}`).toEqual([NAME]);
    }
}

describe.skipIf(process.platform !== 'linux')('an AppImage', () => {
  it('rule (desktop): killed at any point of its replacement, it is the old or the new one, whole, and the next start removes the rest', async () => {
    const found = new Set<string>();
    await killEverywhere('replace', (version, at) => {
      expect(version, at).not.toBe('broken');
      expect(statSync(place).mode & 0o777, at).toBe(0o755);
      expect(readFileSync(installer.file), at).toEqual(NEW);
      found
        .add(version)
        .add(readdirSync(join(folder, 'Programs')).length === 1 ? 'nothing left' : 'a part left');
    });
    expect(found).toEqual(new Set(['old', 'new', 'nothing left', 'a part left']));
  }, 120_000);

  it('killed while it is kept for the way back, it stays as it is, and what is kept under its name is whole', async () => {
    const found = new Set<string>();
    await killEverywhere('keep', (version, at) => {
      expect(version, at).toBe('old');
      const names = existsSync(kept) ? readdirSync(kept) : [];
      if (names.includes('Faxdesk-0.1.0.AppImage'))
        expect(readFileSync(join(kept, 'Faxdesk-0.1.0.AppImage')), at).toEqual(OLD);
      found.add(names.join());
    });
    expect(found).toEqual(new Set(['', 'Faxdesk-0.1.0.AppImage.new', 'Faxdesk-0.1.0.AppImage']));
    await cleanAppImage(place, kept);
    expect(readdirSync(kept)).toEqual(['Faxdesk-0.1.0.AppImage']);
  }, 120_000);
});
