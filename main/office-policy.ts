import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { promisify } from 'node:util';

/** Key of the policy, with the names of its values as the template and the profile in `deploy/policy` have them. */
const KEY = String.raw`HKLM\SOFTWARE\Policies\Faxdesk`;
const PROFILE = '/Library/Managed Preferences/org.faxdesk.desktop.plist';
const FIELDS: Readonly<Record<string, string>> = {
  Gateway: 'gateway',
  Certificate: 'certificate',
  StartAtLogin: 'start_at_login',
  Updates: 'updates',
};

/** Access to the computer. */
export interface Computer {
  readonly platform: string;
  /** Folder of Windows. */
  readonly systemFolder: string | undefined;
  readonly exists: (path: string) => boolean;
  /** Runs a program of the system. Returns its output; rejects, with its exit code in `code`, when it fails. */
  readonly run: (program: string, words: readonly string[]) => Promise<string>;
}

export const thisComputer = (systemFolder: string | undefined): Computer => ({
  platform: process.platform,
  systemFolder,
  exists: existsSync,
  run: async (program, words) => (await promisify(execFile)(program, words, { timeout: 60_000 })).stdout,
});

/**
 * Reads the decisions of a group policy of Windows or a profile of macOS, by the names of the office's file; empty without any. Null
 * where they cannot be read.
 */
export async function readPolicy(computer: Computer): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    if (computer.platform === 'win32') return named(await readRegistry(computer));
    if (computer.platform === 'darwin') return named(await readProfile(computer));
    return {};
  } catch {
    return null;
  }
}

const named = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, field]) => (name in values ? [[field, values[name]]] : [])),
  );

/** `reg` ends with 1 where there is no such key. */
async function readRegistry({ systemFolder, run }: Computer): Promise<Record<string, unknown>> {
  const program = win32.join(systemFolder ?? String.raw`C:\Windows`, 'System32', 'reg.exe');
  const text = await run(program, ['query', KEY]).catch((error: { code?: unknown }) => {
    if (error.code === 1) return '';
    throw error;
  });
  const lines = text.split(/\r?\n/u).map((line) => /^ {4}(\w+) {4}(REG_SZ|REG_DWORD) {4}(.*)$/u.exec(line));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = '', type, value = ''] = line ?? [];
      return name === '' ? [] : [[name, type === 'REG_DWORD' ? Number(value) === 1 : value]];
    }),
  );
}

async function readProfile({ exists, run }: Computer): Promise<Record<string, unknown>> {
  if (!exists(PROFILE)) return {};
  const text = await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', PROFILE]);
  return JSON.parse(text) as Record<string, unknown>;
}
