import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PackError } from './pack-error.ts';
import { filesBelow, readProgramFile } from './programs/program-files.ts';
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
  if (platform === 'win32' && file.endsWith('.exe')) return await isSignedProgram(file);
  if (platform === 'win32' && file.endsWith('.msi')) return await isSignedPackage(file);
  // Apple's own program reads the ticket of the notarization, without which macOS asks its servers.
  if (platform === 'darwin')
    return (await run('xcrun', ['stapler', 'validate', file], { folder: '.', quiet: true })).code === 0;
  return true;
}

async function isSignedProgram(path: string): Promise<boolean> {
  return (await readProgramFile(path))?.signed === 'certificate';
}

/** Returns true for a package of Windows Installer that has the stream of a signature. */
async function isSignedPackage(path: string): Promise<boolean> {
  const name = Buffer.from('\u0005DigitalSignature', 'utf16le');
  let end = Buffer.alloc(0);
  for await (const piece of createReadStream(path)) {
    const bytes = Buffer.concat([end, piece as Buffer]);
    if (bytes.includes(name)) return true;
    end = bytes.subarray(-name.length);
  }
  return false;
}

/**
 * Throws PackError, with the list, when a program or library inside the packed application has no signature of a certificate: ours, and those
 * of Electron, Node.js and the packages. Antivirus programs and allow-lists look at each of them.
 */
export async function assertAllSigned({ platform }: Target, folder: string): Promise<void> {
  if (platform === 'linux') return;
  const unsigned: string[] = [];
  for (const path of await filesBelow(folder)) {
    const program = await readProgramFile(join(folder, path));
    if (program === null || program.signed === 'certificate') continue;
    unsigned.push(program.signed === 'no' ? path : `${path} (without a certificate)`);
  }
  if (unsigned.length === 0) return;
  const lines = unsigned.map((path) => `  ${path}`).join('\n');
  throw new PackError(`Not signed inside the application, so this is no release:\n${lines}`);
}
