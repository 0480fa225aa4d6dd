import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A folder with the sources and packages of a commit. */
export interface Checkout {
  readonly root: string;
  /** Short hash of the commit, or the folder that was named. */
  readonly name: string;
  remove(): Promise<void>;
}

/** Checkout that this bench belongs to. */
export const OWN_CHECKOUT: Checkout = { root: ROOT, name: 'this checkout', remove: async () => undefined };

/** Opens the folder of a checkout, or checks a commit out into a temporary folder. Throws when the commit is unknown. */
export async function openCheckout(commitOrFolder: string): Promise<Checkout> {
  if (statSync(commitOrFolder, { throwIfNoEntry: false })?.isDirectory())
    return { root: resolve(commitOrFolder), name: commitOrFolder, remove: async () => undefined };
  const name = git('rev-parse', '--short', '--verify', `${commitOrFolder}^{commit}`).trim();
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const root = join(folder, 'checkout');
  const remove = async () => {
    git('worktree', 'remove', '--force', root);
    await rm(folder, { recursive: true, force: true });
  };
  git('worktree', 'add', '--detach', root, name);
  try {
    addPackages(root);
  } catch (error) {
    await remove();
    throw error;
  }
  return { root, name, remove };
}

/** Uses the packages that are installed here where the lock files are equal, and else installs those of the checkout. */
function addPackages(root: string): void {
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(ROOT, 'node_modules');
  if (existsSync(installed) && lock(ROOT) === lock(root)) {
    symlinkSync(installed, join(root, 'node_modules'), 'junction');
    return;
  }
  console.error('installing the packages of that commit …');
  run(process.execPath, [join(root, 'scripts/install-missing.mjs')]);
}

function git(...words: string[]): string {
  return run('git', ['-C', ROOT, ...words]);
}

/** Returns what the program printed. Throws when it fails. */
function run(program: string, words: readonly string[]): string {
  const { status, stdout, error } = spawnSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw error ?? new Error(`${program} ${words.join(' ')} failed`);
  return stdout;
}
