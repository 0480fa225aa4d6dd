import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { version as nameOfSystem, platform } from 'node:os';
import { win32 } from 'node:path';
import { promisify } from 'node:util';
import { parseRegistry, type RegistryValues } from '../shared/office-policy.ts';

/** Access to the computer. */
export interface Computer {
  readonly platform: string;
  /** Name of the system, such as `Windows Server 2022 Standard`. */
  readonly systemName: string;
  /** Folder of Windows. */
  readonly systemFolder: string | undefined;
  readonly exists: (path: string) => boolean;
  /** Runs a program of the system. Returns its output; rejects, with its exit code in `code`, when it fails. */
  readonly run: (program: string, words: readonly string[]) => Promise<string>;
}

export const thisComputer = (systemFolder: string | undefined): Computer => ({
  platform: platform(),
  systemName: nameOfSystem(),
  systemFolder,
  exists: existsSync,
  run: async (program, words) => (await promisify(execFile)(program, words, { timeout: 60_000 })).stdout,
});

/**
 * Reads a key of the registry, or one value of it. Null where there is none, and where the office has switched the tools for the
 * registry off: `reg` ends with 1 for both. Rejects when `reg` fails otherwise.
 */
export async function queryRegistry(
  { systemFolder, run }: Computer,
  key: string,
  value?: string,
): Promise<RegistryValues | null> {
  const program = win32.join(systemFolder ?? String.raw`C:\Windows`, 'System32', 'reg.exe');
  const words = ['query', key, ...(value === undefined ? [] : ['/v', value])];
  const text = await run(program, words).catch((error: { code?: unknown }) => {
    if (error.code === 1) return null;
    throw error;
  });
  return text === null ? null : parseRegistry(text);
}
