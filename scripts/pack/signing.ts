import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PackError } from './pack-error.ts';
import { run } from './run.ts';
import type { Platform, Target } from './target.ts';
import { UPDATE_KEY } from './update-signing.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with the key for entries of new versions, needed for every system. */
const ENTRIES = [[UPDATE_KEY]];

/** Variables of which one names the certificate, and those that complete it: any of the groups, whole. */
const NEEDED: Readonly<Record<Platform, readonly (readonly (readonly string[])[])[]>> = {
  linux: [ENTRIES],
  win32: [[['WIN_CSC_LINK'], ['CSC_LINK'], ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID']], ENTRIES],
  darwin: [
    [['CSC_NAME'], ['CSC_LINK']],
    [
      ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
      ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
    ],
    ENTRIES,
  ],
};

/**
 * Throws PackError when a release for the target would not be signed, before anything is built. Packages of Linux are signed by their
 * repository, entries of new versions here.
 */
export function requireSigning({ platform }: Target, environment: Environment = process.env): void {
  const isSet = (name: string) => (environment[name] ?? '') !== '';
  const missing = NEEDED[platform].find((groups) => !groups.some((names) => names.every(isSet)));
  if (missing === undefined) return;
  const ways = missing.map((names) => names.join(' with ')).join(', or ');
  throw new PackError(`A release is signed: set ${ways}. Without --release it is packed for trying out.`);
}

/** Throws PackError when an installer of the version in the folder is not signed. */
export async function assertSigned(
  { platform, arch }: Target,
  { folder, version }: { folder: string; version: string },
): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.startsWith(`Faxdesk-${version}-`));
  // The disk image is not signed, but the application in it.
  const names = platform === 'darwin' ? [join(arch === 'x64' ? 'mac' : `mac-${arch}`, 'Faxdesk.app')] : files;
  const unsigned: string[] = [];
  for (const name of names) if (!(await isSigned(platform, join(folder, name)))) unsigned.push(name);
  if (unsigned.length > 0) throw new PackError(`Not signed, so this is no release: ${unsigned.join(', ')}.`);
}

async function isSigned(platform: Target['platform'], file: string): Promise<boolean> {
  if (platform === 'win32' && file.endsWith('.exe')) return isSignedProgram(file);
  if (platform === 'win32' && file.endsWith('.msi')) return isSignedPackage(file);
  // Apple's own program reads the ticket of the notarization, without which macOS asks its servers.
  if (platform === 'darwin')
    return (await run('xcrun', ['stapler', 'validate', file], { folder: '.', quiet: true })).code === 0;
  return true;
}

const MZ = 0x5a4d;
const PE = 0x00004550;
const PE32_PLUS = 0x20b;
/** Bytes of a program that contain its headers. */
const HEAD_BYTES = 4096;
/** Place of the certificate table among the directories of a program. */
const CERTIFICATES = 4;

/** Returns true for a program of Windows with a certificate table. Windows itself checks the signature in it. */
export async function isSignedProgram(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    await file.read(head, 0, HEAD_BYTES, 0);
    const at = head.readUInt32LE(0x3c);
    if (head.readUInt16LE(0) !== MZ || at > HEAD_BYTES - 256 || head.readUInt32LE(at) !== PE) return false;
    const optional = at + 24;
    const directories = optional + (head.readUInt16LE(optional) === PE32_PLUS ? 112 : 96);
    return head.readUInt32LE(directories + CERTIFICATES * 8 + 4) > 0;
  } finally {
    await file.close();
  }
}

/** Returns true for a package of Windows Installer that has the stream of a signature. */
async function isSignedPackage(path: string): Promise<boolean> {
  return (await readFile(path)).includes(Buffer.from('\u0005DigitalSignature', 'utf16le'));
}
