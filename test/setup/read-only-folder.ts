import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';

/** Reason why no folder can be made read-only here; null when it can. */
export const readOnlyUnavailable =
  process.platform === 'win32' || (process.getuid?.() === 0 && process.platform !== 'linux')
    ? 'no folder is read-only to this account'
    : null;

/** Nobody can write to the folder until the answer is called; root is stopped by a mount. */
export async function makeReadOnly(folder: string): Promise<() => Promise<void>> {
  if (process.getuid?.() !== 0) {
    await chmod(folder, 0o500);
    return () => chmod(folder, 0o700);
  }
  mount('--bind', folder, folder);
  mount('-o', 'remount,ro,bind', folder);
  return async () => {
    spawnSync('umount', ['--lazy', folder]);
  };
}

function mount(...words: string[]): void {
  const { status, stderr } = spawnSync('mount', words);
  if (status !== 0) throw new Error(`mount failed: ${String(stderr)}`);
}
