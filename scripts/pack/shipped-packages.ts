import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { type LockedPackage, lockedPackages, NODE_ITSELF } from './runtime-packages.ts';
import { closureOf, dependenciesOf } from './server/server-packages.ts';
import type { Target } from './target.ts';

const IMPORTED = /(?:from|import) '((?:@[^/']+\/)?[^./'][^/']*)/gu;

/** Package that a program contains, with its files or as part of a build. */
export interface ShippedPackage extends LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Path in the lock. */
  readonly path: string;
  /** Folder with its files. */
  readonly folder: string;
  /** Paths in the lock of the packages that it needs. */
  readonly needs: readonly string[];
}

/**
 * Lists the packages of a program for a target, by their paths in the lock: those for the time it runs, and those that the builds of
 * the source folders `bundled` contain. `staged` is the folder with the packages of the target.
 */
export async function shippedPackages(
  target: Target,
  staged: string,
  bundled: readonly string[],
): Promise<ShippedPackage[]> {
  const { packages } = await lockedPackages();
  const runtime = Object.keys(packages).filter(
    (path) => path !== '' && path !== NODE_ITSELF && packages[path]?.dev !== true,
  );
  const names = (await Promise.all(bundled.map(importedBy))).flat().filter((name) => name !== 'electron');
  const paths = [...new Set([...runtime, ...closureOf(packages, names)])].sort();
  return paths.flatMap((path) => {
    const locked = packages[path] ?? {};
    const folder = [staged, ROOT].map((root) => join(root, path)).find((place) => existsSync(place));
    if (folder === undefined || !isFor(locked, target)) return [];
    const name = path.split('node_modules/').at(-1) ?? path;
    return {
      ...locked,
      name,
      version: locked.version ?? '',
      path,
      folder,
      needs: dependenciesOf(packages, path),
    };
  });
}

const isFor = ({ os, cpu }: LockedPackage, { platform, arch }: Target) =>
  (os?.includes(platform) ?? true) && (cpu?.includes(arch) ?? true);

/** Lists the packages that the sources of a folder import by name. */
async function importedBy(folder: string): Promise<string[]> {
  const files = await readdir(join(ROOT, folder), { recursive: true });
  const sources = files.filter((name) => /\.tsx?$/u.test(name));
  const texts = await Promise.all(sources.map(async (name) => readFile(join(ROOT, folder, name), 'utf8')));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name = '']) => name)))];
}
