import { execFileSync } from 'node:child_process';
import { lutimes, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../steps.ts';

/** Returns the time of a package in seconds: `SOURCE_DATE_EPOCH`, else that of the commit, so that a build can be repeated. */
export function packageTime(): number {
  const given = Number(process.env['SOURCE_DATE_EPOCH']);
  if (Number.isInteger(given) && given > 0) return given;
  try {
    return Number(
      execFileSync('git', ['log', '-1', '--format=%ct'], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    );
  } catch {
    return 0;
  }
}

/** Gives a folder and everything in it the same time, in seconds. */
export async function setTimes(folder: string, seconds: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries) await lutimes(join(parentPath, name), seconds, seconds);
  await lutimes(folder, seconds, seconds);
}
