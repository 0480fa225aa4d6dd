import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PackError } from '../../scripts/pack/pack-error.ts';
import { installerTargets, otherInstallers, readTarget } from '../../scripts/pack/target.ts';
import { needTools } from '../setup/tools.ts';
import { compileLines, INCLUDE } from './windows-installer.ts';

describe('the lines of the Windows installer', () => {
  it.for([
    ['account', 'x86'],
    ['account', 'amd64'],
    ['everyone', 'x86'],
    ['everyone', 'amd64'],
  ] as const)('compile for %s and %s without a warning', ([scope, cpu], context) => {
    needTools(context, 'makensis');
    expect(compileLines(scope, cpu)).toBeNull();
  });

  it('take over no document: every key they write is the entry "Send as fax" or the link', () => {
    const text = readFileSync(INCLUDE, 'utf8');
    const keys = [...text.matchAll(/WriteReg\w+ (\w+) "([^"]+)"/gu)].map((it) => `${it[1]} ${it[2]}`);
    const own =
      /^SHCTX Software\\Classes\\(SystemFileAssociations\\\$\{EXTENSION\}\\shell\\Faxdesk|faxdesk)(\\|$)/u;
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !own.test(key))).toEqual([]);
  });

  it('remove every key that they write', () => {
    const text = readFileSync(INCLUDE, 'utf8');
    const removed = [...text.matchAll(/DeleteRegKey SHCTX "([^"]+)"/gu)].map((it) => it[1] ?? '');
    const written = [...text.matchAll(/WriteRegStr SHCTX "([^"]+)"/gu)].map((it) => it[1] ?? '');
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((key) => !removed.some((it) => key.startsWith(it)))).toEqual([]);
  });
});

describe('what a machine packs', () => {
  const windows = { platform: 'win32', arch: 'x64' };
  const mac = { platform: 'darwin', arch: 'arm64' };
  const linux = { platform: 'linux', arch: 'x64' };

  it('is for its own platform unless another is given', () => {
    expect(readTarget({}, mac)).toEqual({ platform: 'darwin', arch: 'arm64' });
    expect(readTarget({ platform: 'win32' }, mac)).toEqual({ platform: 'win32', arch: 'x64' });
    expect(readTarget({ platform: 'win32', arch: 'arm64' }, linux)).toEqual({
      platform: 'win32',
      arch: 'arm64',
    });
  });

  it('is refused in a sentence when it is unknown', () => {
    expect(() => readTarget({ platform: 'beos' }, linux)).toThrow(PackError);
    expect(() => readTarget({ arch: 'mips' }, linux)).toThrow('The architecture is one of x64, arm64.');
  });

  it('is for both kinds of Mac on a Mac', () => {
    expect(installerTargets({}, mac).map(({ arch }) => arch)).toEqual(['x64', 'arm64']);
    expect(installerTargets({ arch: 'arm64' }, mac)).toHaveLength(1);
    expect(installerTargets({}, windows)).toHaveLength(1);
  });

  it('is no installer of another system, and the sentence says where that is made', () => {
    expect(() => installerTargets({ platform: 'win32' }, linux)).toThrow(/is made on Windows/u);
    expect(() => installerTargets({ platform: 'darwin' }, windows)).toThrow(/is made on macOS/u);
    expect(otherInstallers('linux')).toHaveLength(2);
  });
});
