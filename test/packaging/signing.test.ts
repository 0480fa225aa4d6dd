import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashApplication, writeHashList } from '../../scripts/pack/hash-list.ts';
import { readProgramFile } from '../../scripts/pack/programs/program-files.ts';
import { assertAllSigned, assertSigned, requireSigning } from '../../scripts/pack/signing.ts';
import { needTools, toolPath } from '../setup/tools.ts';
import {
  fatProgram,
  MADE_PUBLISHER,
  type MadeCertificate,
  macProgram,
  makeCertificate,
  signatureMessage,
  signedWindowsProgram,
  signWithTool,
} from './signed-programs.ts';
import { makeStubElectron } from './stub-electron.ts';

const WINDOWS = { platform: 'win32', arch: 'x64' } as const;
const MAC = { platform: 'darwin', arch: 'arm64' } as const;
const LINUX = { platform: 'linux', arch: 'x64' } as const;
const APPLE_ID = { APPLE_ID: 'a', APPLE_APP_SPECIFIC_PASSWORD: 'b', APPLE_TEAM_ID: 'c' };

let folder: string;
let program: Buffer;
let certificate: MadeCertificate;
let message: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-signing-'));
  await makeStubElectron('win32', join(folder, 'electron'));
  program = readFileSync(join(folder, 'electron/electron.exe'));
  if (toolPath('openssl') === null) return;
  certificate = makeCertificate(folder);
  message = signatureMessage(certificate);
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

const signed = () => signedWindowsProgram(program, message);

test('rule (desktop): a release with an installer for Windows that is not signed is refused', async (context) => {
  needTools(context, 'openssl');
  const version = '0.2.0';
  const [own, everyone, msi] = ['x64.exe', 'x64-everyone.exe', 'x64.msi'].map((end) =>
    join(folder, `Faxdesk-${version}-win-${end}`),
  ) as [string, string, string];
  writeFileSync(own, signed());
  writeFileSync(everyone, program);
  writeFileSync(msi, 'a package without a signature');
  // One of an earlier version is not looked at.
  writeFileSync(join(folder, 'Faxdesk-0.1.0-win-x64.exe'), program);
  await expect(assertSigned(WINDOWS, { folder, version })).rejects.toThrow(
    `Not signed, so this is no release: Faxdesk-${version}-win-x64-everyone.exe, Faxdesk-${version}-win-x64.msi.`,
  );
  writeFileSync(everyone, signed());
  writeFileSync(msi, Buffer.from('...\u0005DigitalSignature...', 'utf16le'));
  await assertSigned(WINDOWS, { folder, version });
  writeFileSync(own, 'cut off');
  await expect(assertSigned(WINDOWS, { folder, version })).rejects.toThrow('Faxdesk-0.2.0-win-x64.exe');
});

/** A folder with files by their paths, as a packed application. */
function application(name: string, files: Readonly<Record<string, Buffer | string>>): string {
  const place = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(place, path, '..'), { recursive: true });
    writeFileSync(join(place, path), content);
  }
  return place;
}

test('rule (desktop): a release is refused with the list of every program inside it that is not signed [Windows]', async (context) => {
  needTools(context, 'openssl');
  const table = signed();
  const cutOff = table.subarray(0, -16);
  const noMessage = signedWindowsProgram(program, Buffer.from('not a signature'));
  const place = application('windows', {
    'Faxdesk.exe': table,
    'ffmpeg.dll': program,
    'resources/app.asar': 'MZ is how a text may begin, which is longer than the first header of a program is',
    'resources/gateway/bin/faxdesk-service.exe': cutOff,
    // By its content, not its name.
    'resources/gateway/bin/part.bin': noMessage,
    'resources/gateway/bin/signed.node': table,
    'resources/empty.dll': '',
  });
  await expect(assertAllSigned(WINDOWS, place)).rejects.toThrow(
    /no release:\n {2}ffmpeg\.dll\n {2}resources\/gateway\/bin\/faxdesk-service\.exe\n {2}resources\/gateway\/bin\/part\.bin$/u,
  );
  for (const path of ['ffmpeg.dll', 'resources/gateway/bin/faxdesk-service.exe'])
    writeFileSync(join(place, path), table);
  rmSync(join(place, 'resources/gateway/bin/part.bin'));
  await assertAllSigned(WINDOWS, place);
});

test('rule (desktop): a release is refused with the list of every program inside it that is not signed [macOS]', async (context) => {
  needTools(context, 'openssl');
  const open = signatureMessage(certificate, { isOpen: true });
  const own = macProgram(open);
  const unsigned = macProgram(null);
  const adHoc = macProgram(Buffer.alloc(0));
  const place = application('mac', {
    'Contents/MacOS/Faxdesk': own,
    'Contents/Resources/a.node': unsigned,
    'Contents/Resources/b.dylib': adHoc,
    'Contents/Resources/both': fatProgram(own, adHoc),
    'Contents/Resources/signed-both': fatProgram(own, macProgram(message)),
    // Begins as a file for several processors does.
    'Contents/Resources/Some.class': Buffer.from('cafebabe00000034001d0a0006000f0900100011', 'hex'),
    'Contents/Resources/short': Buffer.from('cffaedfe', 'hex'),
    'Contents/Resources/endless': Buffer.concat([unsigned.subarray(0, 20), Buffer.alloc(44, 0xff)]),
  });
  await expect(assertAllSigned(MAC, place)).rejects.toThrow(
    `no release:
  Contents/Resources/a.node
  Contents/Resources/b.dylib (without a certificate)
  Contents/Resources/both (without a certificate)
  Contents/Resources/endless`,
  );
  expect(await readProgramFile(join(place, 'Contents/MacOS/Faxdesk'))).toEqual({
    signed: 'certificate',
    publisher: MADE_PUBLISHER,
    authenticode: null,
  });
  for (const name of ['a.node', 'b.dylib', 'both', 'endless'])
    rmSync(join(place, 'Contents/Resources', name));
  await assertAllSigned(MAC, place);
});

test('the hashes of a release are listed for administrators, with the publisher', async (context) => {
  needTools(context, 'openssl');
  const place = application('listed', { 'Faxdesk.exe': signed(), 'resources/a,b.txt': 'text' });
  const output = application('output', {
    'Faxdesk-0.3.0-win-x64.exe': signed(),
    'Faxdesk-0.3.0-win-x64-everyone.exe': program,
    'Faxdesk-0.3.0-win-x64.msi': 'package',
    // Of another processor, another version, and no installer.
    'Faxdesk-0.3.0-win-arm64.exe': program,
    'Faxdesk-0.2.0-win-x64.exe': program,
    'Faxdesk-0.3.0-win-x64.exe.blockmap': '',
  });
  const made = { folder: output, version: '0.3.0' };
  const path = await writeHashList(WINDOWS, made, await hashApplication(WINDOWS, place));
  expect(path).toBe(join(output, 'Faxdesk-0.3.0-win-x64-hashes.csv'));
  const of = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
  const { authenticode } = (await readProgramFile(join(place, 'Faxdesk.exe'))) ?? {};
  const publisher = `"${MADE_PUBLISHER}"`;
  expect(readFileSync(path, 'utf8').split('\r\n')).toEqual([
    'Part,File,SHA256,AuthenticodeSHA256,Publisher',
    `installer,Faxdesk-0.3.0-win-x64-everyone.exe,${of(program)},${authenticode},`,
    `installer,Faxdesk-0.3.0-win-x64.exe,${of(signed())},${authenticode},${publisher}`,
    `installer,Faxdesk-0.3.0-win-x64.msi,${of('package')},,`,
    `application,Faxdesk.exe,${of(signed())},${authenticode},${publisher}`,
    `application,"resources\\a,b.txt",${of('text')},,`,
    '',
  ]);
});

test('the hash for rules of Windows and the publisher are those of a tool that others wrote', async (context) => {
  needTools(context, 'openssl', 'osslsigncode');
  const path = join(folder, 'by-tool.exe');
  // A length that the tool fills up.
  writeFileSync(path, Buffer.concat([program, Buffer.alloc(3, 'x')]));
  const before = await readProgramFile(path);
  signWithTool(path, certificate);
  const { stdout } = spawnSync('osslsigncode', ['verify', '-CAfile', certificate.certificate, '-in', path], {
    encoding: 'utf8',
  });
  const digest = /Calculated message digest *: ([\dA-F]{64})/u.exec(stdout)?.[1]?.toLowerCase();
  expect(digest).toMatch(/^[\da-f]{64}$/u);
  expect(before).toEqual({ signed: 'no', publisher: null, authenticode: digest });
  expect(await readProgramFile(path)).toEqual({
    signed: 'certificate',
    publisher: MADE_PUBLISHER,
    authenticode: digest,
  });
});
