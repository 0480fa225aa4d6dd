import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FOLDER_NAMES, processEnvironment } from './env.ts';

/** Runs a tool of Windows and answers what it prints. Throws when it fails. */
export type SystemTool = (tool: 'icacls' | 'whoami', words: readonly string[]) => Promise<string>;

/** A tool hangs where a network drive does. Milliseconds. */
const TOOL_TIMEOUT_MS = 60_000;
const SYSTEM = 'S-1-5-18';
const ADMINISTRATORS = 'S-1-5-32-544';
/**
 * Entries of access lists that are allowed: the two above, in either notation, and the rights of the owner of a file.
 */
const ALLOWED = new Set(['SY', 'BA', 'OW', 'CO', SYSTEM, ADMINISTRATORS]);
/** An entry that forbids, or that only asks for a record, opens nothing. */
const OPENING = new Set(['A', 'XA', 'OA', 'ZA']);

/** From the folder of the system itself, never from the search path. */
export const runSystemTool: SystemTool = async (tool, words) => {
  const program = join(
    processEnvironment()[FOLDER_NAMES.windowsSystem] ?? 'C:\\Windows',
    'System32',
    `${tool}.exe`,
  );
  const { stdout } = await promisify(execFile)(program, [...words], {
    timeout: TOOL_TIMEOUT_MS,
    windowsHide: true,
    encoding: 'utf8',
  });
  return stdout;
};

/**
 * Gives a folder an access list of its own that names this account, the system and the administrators, and has what is in it
 * take that over; then asks again what the list is.
 */
export async function closeWindowsFolder(
  folder: string,
  shared: ReadonlySet<string>,
  runTool: SystemTool,
): Promise<{ closed: string[]; warnings: string[] }> {
  try {
    const account = accountIn(await runTool('whoami', ['/user', '/fo', 'csv', '/nh']));
    if (isClosed(await accessListOf(folder, runTool), account)) return { closed: [], warnings: [] };
    await restrict(folder, account, runTool);
    for (const name of await readdir(folder))
      if (!shared.has(name)) await runTool('icacls', [join(folder, name), '/reset', '/T', '/C', '/Q']);
    if (isClosed(await accessListOf(folder, runTool), account)) return { closed: ['.'], warnings: [] };
    return { closed: [], warnings: [warningOf(folder, 'its access list stayed as it was')] };
  } catch {
    return { closed: [], warnings: [warningOf(folder, 'the system refuses it')] };
  }
}

function warningOf(folder: string, reason: string): string {
  return `Other accounts on this computer may be able to open ${folder}, and Faxdesk could not prevent it: ${reason}.`;
}

/** Removes grants to others by name first, then the inherited ones. */
async function restrict(folder: string, account: string, runTool: SystemTool): Promise<void> {
  const grants = [account, SYSTEM, ADMINISTRATORS].flatMap((sid) => ['/grant:r', `*${sid}:(OI)(CI)F`]);
  const others = othersIn(await accessListOf(folder, runTool), account);
  await runTool('icacls', [folder, ...grants, '/Q']);
  for (const sid of others.filter((name) => name.startsWith('S-')))
    await runTool('icacls', [folder, '/remove:g', `*${sid}`, '/Q']);
  // Two letters stand for an account that each language of Windows calls otherwise: the list is begun anew.
  if (others.some((name) => !name.startsWith('S-'))) {
    await runTool('icacls', [folder, '/reset', '/Q']);
    await runTool('icacls', [folder, ...grants, '/Q']);
  }
  await runTool('icacls', [folder, '/inheritance:r', '/Q']);
}

/** The list in the system's own notation, which is the same in every language. */
async function accessListOf(folder: string, runTool: SystemTool): Promise<string> {
  const file = join(tmpdir(), `faxdesk-access-${randomBytes(6).toString('hex')}`);
  try {
    await runTool('icacls', [folder, '/save', file, '/Q']);
    const text = await readFile(file, 'utf16le');
    const list = /D:\S*/u.exec(text)?.[0];
    if (list === undefined) throw new Error('there is no access list');
    return list;
  } finally {
    await rm(file, { force: true });
  }
}

/** Nothing comes from above, and nobody else is named. */
function isClosed(list: string, account: string): boolean {
  const takesNothingOver = /^D:[A-Z]*P/u.test(list);
  return takesNothingOver && list.includes('(') && othersIn(list, account).length === 0;
}

function othersIn(list: string, account: string): string[] {
  const names = [...list.matchAll(/\(([A-Z]+);[^;]*;[^;]*;[^;]*;[^;]*;([^;)]+)/gu)]
    .filter(([, kind = '']) => OPENING.has(kind))
    .map(([, , name = '']) => name);
  const isOwn = (name: string) =>
    name === account || ALLOWED.has(name) || (name === 'LA' && account.endsWith('-500'));
  return [...new Set(names.filter((name) => !isOwn(name)))];
}

/** `"office\maria","S-1-5-21-…"` */
function accountIn(csv: string): string {
  const sid = /"(S-1-[0-9-]+)"\s*$/u.exec(csv.trim())?.[1];
  if (sid === undefined) throw new Error('the account is not known');
  return sid;
}
