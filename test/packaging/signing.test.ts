import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertSigned, isSignedProgram, requireSigning } from '../../scripts/pack/signing.ts';
import { makeStubElectron } from './stub-electron.ts';

const WINDOWS = { platform: 'win32', arch: 'x64' } as const;
const MAC = { platform: 'darwin', arch: 'arm64' } as const;
const LINUX = { platform: 'linux', arch: 'x64' } as const;
const APPLE_ID = { APPLE_ID: 'a', APPLE_APP_SPECIFIC_PASSWORD: 'b', APPLE_TEAM_ID: 'c' };

let folder: string;
let program: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-signing-'));
  await makeStubElectron('win32', join(folder, 'electron'));
  program = readFileSync(join(folder, 'electron/electron.exe'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('rule (desktop): a release without a certificate or a key for new versions, or for macOS without a notarization, is refused before it is built', () => {
  const refused = (target: Parameters<typeof requireSigning>[0], environment: Record<string, string>) =>
    expect(() => requireSigning(target, environment)).toThrow(/^A release is signed: set /u);
  refused(WINDOWS, {});
  refused(WINDOWS, { WIN_CSC_LINK: '' });
  refused(MAC, APPLE_ID);
  refused(MAC, { CSC_NAME: 'name' });
  refused(MAC, { CSC_NAME: 'name', APPLE_ID: 'a' });
  const key = { FAXDESK_UPDATE_KEY: 'key' };
  for (const [target, others] of [
    [WINDOWS, { WIN_CSC_LINK: 'file' }],
    [MAC, { CSC_LINK: 'file', ...APPLE_ID }],
    [LINUX, {}],
  ] as const) {
    refused(target, others);
    expect(() => requireSigning(target, { ...others, ...key })).not.toThrow();
  }
});

/** The program as a signing tool leaves it: its header names a table of certificates at the end. */
function signed(): Buffer {
  const bytes = Buffer.from(program);
  const optional = bytes.readUInt32LE(0x3c) + 24;
  const certificates = optional + (bytes.readUInt16LE(optional) === 0x20b ? 112 : 96) + 32;
  expect(bytes.readUInt32LE(certificates + 4)).toBe(0);
  bytes.writeUInt32LE(bytes.length, certificates);
  bytes.writeUInt32LE(8, certificates + 4);
  return Buffer.concat([bytes, Buffer.alloc(8)]);
}

test('rule (desktop): a release with an installer for Windows that is not signed is refused', async () => {
  const version = '0.2.0';
  const [own, everyone, msi] = ['x64.exe', 'x64-everyone.exe', 'x64.msi'].map((end) =>
    join(folder, `Faxdesk-${version}-win-${end}`),
  ) as [string, string, string];
  writeFileSync(own, signed());
  writeFileSync(everyone, program);
  writeFileSync(msi, 'a package without a signature');
  // One of an earlier version is not looked at.
  writeFileSync(join(folder, 'Faxdesk-0.1.0-win-x64.exe'), program);
  expect([await isSignedProgram(own), await isSignedProgram(everyone)]).toEqual([true, false]);
  await expect(assertSigned(WINDOWS, { folder, version })).rejects.toThrow(
    `Not signed, so this is no release: Faxdesk-${version}-win-x64-everyone.exe, Faxdesk-${version}-win-x64.msi.`,
  );
  writeFileSync(everyone, signed());
  writeFileSync(msi, Buffer.from('...\u0005DigitalSignature...', 'utf16le'));
  await assertSigned(WINDOWS, { folder, version });
  writeFileSync(own, 'cut off');
  await expect(assertSigned(WINDOWS, { folder, version })).rejects.toThrow('Faxdesk-0.2.0-win-x64.exe');
});
