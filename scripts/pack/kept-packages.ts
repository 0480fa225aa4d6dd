import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const PACKAGES = 'node_modules';

/**
 * Installs the packages of a folder, or takes those that an earlier installation of the very same manifest and lock for
 * the same target left in `kept`. They are linked, not copied: what is linked may be removed but never written to.
 */
export async function installOnce(
  folder: string,
  { kept, name, install }: { kept: string; name: string; install: () => Promise<void> },
): Promise<void> {
  const own = `${name}-${await digestOf(folder)}`;
  const place = join(kept, own);
  await mkdir(kept, { recursive: true });
  if (await linkTree(place, join(folder, PACKAGES))) return;
  await install();
  for (const other of await readdir(kept))
    if (other.startsWith(`${name}-`) && other !== own) await rm(join(kept, other), { recursive: true });
  // Another run may put its own there meanwhile; a rename gives a reader all of it or nothing.
  const draft = await mkdtemp(join(kept, '.new-'));
  await linkTree(join(folder, PACKAGES), join(draft, PACKAGES));
  await rename(join(draft, PACKAGES), place).catch(() => undefined);
  await rm(draft, { recursive: true, force: true });
}

/** Of what decides which packages are installed. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const file of ['package.json', 'package-lock.json']) hash.update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 32);
}

/** False when there is nothing to link. */
async function linkTree(from: string, to: string): Promise<boolean> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => null);
  if (entries === null) return false;
  await mkdir(to, { recursive: true });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    // The folders may lie on two file systems.
    else await link(source, target).catch(() => copyFile(source, target));
  }
  return true;
}
