import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Absolute path of a program on PATH, or null. */
export function toolPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
