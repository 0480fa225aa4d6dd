import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entryName, type Release } from '../../main/updates/release.ts';
import { signRelease } from '../../main/updates/release-signature.ts';
import { PackError } from './pack-error.ts';
import type { Architecture, Platform, Target } from './target.ts';
import type { UpdateSigning } from './update-signing.ts';

/** Ends of the names of installers; an AppImage has its own word for x64. */
const INSTALLERS: Record<Platform, string> = { win32: '.exe', darwin: '.dmg', linux: '.AppImage' };
const WORDS: Record<Architecture, readonly string[]> = { x64: ['x64', 'x86_64'], arm64: ['arm64'] };

/**
 * Writes the entries of a feed beside the installer of a target, as the newest version and under its own number, and returns their
 * paths. Computers that look for new versions
 * read it, and it has a signature of each private key. Throws PackError when there is no installer.
 */
export async function writeUpdateEntries(
  target: Target,
  { folder, version, notes }: { folder: string; version: string; notes: string },
  { privateKeys }: UpdateSigning,
): Promise<string[]> {
  const ends = WORDS[target.arch].map((arch) => `-${arch}${INSTALLERS[target.platform]}`);
  const isInstaller = (name: string) =>
    name.startsWith(`Faxdesk-${version}-`) && ends.some((end) => name.endsWith(end));
  const file = (await readdir(folder)).find(isInstaller);
  if (file === undefined) throw new PackError(`There is no installer of ${version} in ${folder}.`);
  const hash = createHash('sha512');
  for await (const piece of createReadStream(join(folder, file))) hash.update(piece as Buffer);
  const { size } = await stat(join(folder, file));
  const sha512 = hash.digest('hex');
  const release: Release = { version, notes, file, size, sha512, percentage: 100, signatures: [] };
  const entry = { ...release, signatures: privateKeys.map((key) => signRelease(release, target, key)) };
  const paths = [entryName(target), entryName(target, version)].map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, `${JSON.stringify(entry, null, 2)}\n`);
  return paths;
}
