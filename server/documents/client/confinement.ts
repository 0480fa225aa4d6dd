import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A tool of the system that starts a program with less than it would have. */
interface Tool {
  readonly confinedBy: string;
  readonly command: readonly string[];
}

/** Way to start a program confined: the command that goes before it, and the limits that this imposes. */
interface Confinement {
  readonly command: readonly string[];
  readonly confinedBy: readonly string[];
}

/** Private writable memory. Node and PDFium reserve 1.3 GB of it without using it. */
const MAX_DATA_BYTES = 4 * 1024 ** 3;
/** The kernel that runs out of memory ends this process before the gateway. */
const OOM_SCORE_ADJUSTMENT = 500;
const PROBE_MS = 5_000;
const ROOT = 0;

/** Those of util-linux that this system has and allows; asked once. */
export function confinementOfSystem(): Promise<Confinement> {
  cached ??=
    process.platform === 'linux' ? probe(linuxTools()) : Promise.resolve({ command: [], confinedBy: [] });
  return cached;
}

let cached: Promise<Confinement> | undefined;

/** In the order in which they start one another: without new privileges no further namespace could be made by root's tools. */
function linuxTools(): Tool[] {
  const isRoot = process.getuid?.() === ROOT;
  // Root without its privileges, but for those by which it writes into folders of others.
  const privileges = isRoot ? ['--inh-caps=-all', '--bounding-set=-all,+dac_override,+fowner'] : [];
  return [
    {
      confinedBy: 'first to end without memory',
      command: ['/usr/bin/choom', '-n', `${OOM_SCORE_ADJUSTMENT}`, '--'],
    },
    { confinedBy: 'a memory limit', command: ['/usr/bin/prlimit', `--data=${MAX_DATA_BYTES}`] },
    {
      confinedBy: 'a network namespace without network',
      command: ['/usr/bin/unshare', ...(isRoot ? [] : ['--user', '--map-current-user']), '--net'],
    },
    { confinedBy: 'no new privileges', command: ['/usr/bin/setpriv', '--no-new-privs', ...privileges] },
  ];
}

/** Keeps the tools that work alone, when they also work together; otherwise none. */
async function probe(tools: readonly Tool[]): Promise<Confinement> {
  const works = await Promise.all(tools.map(({ command }) => canRun(command)));
  const kept = tools.filter((_tool, index) => works[index]);
  const command = kept.flatMap((tool) => tool.command);
  if (command.length === 0 || !(await canRun(command))) return { command: [], confinedBy: [] };
  return { command, confinedBy: kept.map(({ confinedBy }) => confinedBy) };
}

function canRun([file = '', ...words]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { timeout: PROBE_MS, env: {} };
    execFile(file, [...words, '/bin/true'], options, (error) => resolve(error === null));
  });
}

const CODE = fileURLToPath(new URL('../../../', import.meta.url));
const CODE_READ = ['server', 'shared', 'node_modules', 'package.json', join('resources', 'fonts')];

/**
 * Node's options for a process that reads the code and the folders, and writes the folders: no other file, no program, no
 * inspector. Native modules (sharp) and threads are allowed; the threads are held to the same.
 */
export function permissionOptions(folders: readonly string[], entry: string): string[] {
  const within = withRealPaths(folders).flatMap((folder) => [folder, join(folder, '*')]);
  const code = withRealPaths(codeFolders());
  const readable = [...code, dirname(entry), ...within];
  return [
    '--permission',
    '--allow-addons',
    '--allow-worker',
    // Node warns of these two whenever they are allowed.
    '--disable-warning=PERM0001',
    '--disable-warning=PERM0006',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...within.map((path) => `--allow-fs-write=${path}`),
  ];
}

/** Lists the folders with code: a package for servers has no sources. */
function codeFolders(): string[] {
  return CODE_READ.map((name) => join(CODE, name)).filter((path) => existsSync(path));
}

/** Adds the target of each link: access is checked by both names. */
function withRealPaths(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [path, realpathSync(path)]))];
}
