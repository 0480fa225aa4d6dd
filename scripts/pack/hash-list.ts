import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow, readProgramFile } from './programs/program-files.ts';
import type { Architecture, Platform, Target } from './target.ts';

/** File that the list names, with what administrators compare. */
interface HashedFile {
  readonly part: 'installer' | 'application';
  readonly file: string;
  readonly sha256: string;
  /** Empty for a file that is no program of Windows. */
  readonly authenticode: string;
  /** Empty for a file that has no certificate. */
  readonly publisher: string;
}

/** Names of systems and processors in the names of installers. */
const SYSTEMS: Record<Platform, string> = { win32: 'win', darwin: 'mac', linux: 'linux' };
const PROCESSORS: Record<Architecture, RegExp> = {
  x64: /-(?:x64|x86_64|amd64)[-.]/u,
  arm64: /-(?:arm64|aarch64)[-.]/u,
};
const INSTALLER = /\.(?:exe|msi|dmg|zip|AppImage|deb|rpm)$/u;

/** Hashes every file inside a packed application, by its path in the folder where it is installed. */
export async function hashApplication({ platform }: Target, folder: string): Promise<HashedFile[]> {
  const files: HashedFile[] = [];
  for (const path of await filesBelow(folder)) {
    const file = platform === 'win32' ? path.replaceAll('/', '\\') : path;
    files.push(await hashFile('application', file, join(folder, path)));
  }
  return files;
}

/**
 * Writes the list of hashes beside the installers of a version, of them and of the files in the application, and returns its path.
 * Administrators allow programs by it.
 */
export async function writeHashList(
  { platform, arch }: Target,
  { folder, version }: { folder: string; version: string },
  application: readonly HashedFile[],
): Promise<string> {
  const begin = `Faxdesk-${version}-${SYSTEMS[platform]}-`;
  const isInstaller = (name: string) =>
    name.startsWith(begin) && PROCESSORS[arch].test(name) && INSTALLER.test(name);
  const installers: HashedFile[] = [];
  for (const name of (await readdir(folder)).filter(isInstaller).sort())
    installers.push(await hashFile('installer', name, join(folder, name)));
  const lines = [...installers, ...application].map((it) =>
    [it.part, it.file, it.sha256, it.authenticode, it.publisher].map(quoted).join(','),
  );
  const path = join(folder, `${begin}${arch}-hashes.csv`);
  await writeFile(path, ['Part,File,SHA256,AuthenticodeSHA256,Publisher', ...lines, ''].join('\r\n'));
  return path;
}

const quoted = (text: string): string => (/[",]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

async function hashFile(part: HashedFile['part'], file: string, path: string): Promise<HashedFile> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  const program = await readProgramFile(path);
  return {
    part,
    file,
    sha256: hash.digest('hex'),
    authenticode: program?.authenticode ?? '',
    publisher: program?.publisher ?? '',
  };
}
