import { execFile } from 'node:child_process';

/** Limits of a conversion. */
export interface ConversionLimits {
  /** Of the whole conversion. */
  readonly seconds: number;
  readonly memoryBytes: number;
  /** Of each file that is written. */
  readonly fileBytes: number;
}

/** Command that goes before the program, and what it imposes. */
export interface Confinement {
  readonly command: readonly string[];
  readonly confinedBy: readonly string[];
}

const PROBE_MS = 5_000;
const BLOCK_BYTES = 512;
const ROOT = 0;

/** Returns the means of confinement that this system has and allows. */
export async function confine(limits: ConversionLimits): Promise<Confinement> {
  if (process.platform === 'win32') return { command: [], confinedBy: [] };
  if (process.platform !== 'linux') return withShell(limits);
  const kept: { confinedBy: string; command: readonly string[] }[] = [];
  for (const { confinedBy, command } of linuxTools(limits)) {
    const before = kept.flatMap((tool) => tool.command);
    if (await canRun([...before, ...command])) kept.push({ confinedBy, command });
  }
  return {
    command: kept.flatMap(({ command }) => command),
    confinedBy: kept.map(({ confinedBy }) => confinedBy),
  };
}

/** Limits that the shell sets: those of every Unix. */
function withShell({ seconds, fileBytes }: ConversionLimits): Confinement {
  const script = `ulimit -t ${seconds}; ulimit -f ${Math.ceil(fileBytes / BLOCK_BYTES)}; exec "$@"`;
  return { command: ['/bin/sh', '-c', script, 'sh'], confinedBy: ['a limit of processor time'] };
}

/** In the order in which they start one another. */
function linuxTools({ seconds, memoryBytes, fileBytes }: ConversionLimits) {
  const isRoot = process.getuid?.() === ROOT;
  const ownUser = isRoot ? [] : ['--user', '--map-current-user'];
  const privileges = isRoot ? ['--inh-caps=-all', '--bounding-set=-all'] : [];
  return [
    { confinedBy: 'first to end without memory', command: ['/usr/bin/choom', '-n', '700', '--'] },
    {
      confinedBy: 'limits of memory, processor time and files',
      command: [
        '/usr/bin/prlimit',
        `--data=${memoryBytes}`,
        `--cpu=${seconds}`,
        `--fsize=${fileBytes}`,
        '--core=0',
      ],
    },
    { confinedBy: 'an end with the gateway', command: ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] },
    { confinedBy: 'a network namespace without network', command: ['/usr/bin/unshare', ...ownUser, '--net'] },
    {
      confinedBy: 'a process namespace',
      command: ['/usr/bin/unshare', ...ownUser, '--pid', '--fork', '--kill-child'],
    },
    { confinedBy: 'no new privileges', command: ['/usr/bin/setpriv', '--no-new-privs', ...privileges] },
  ];
}

function canRun([file = '', ...words]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { timeout: PROBE_MS, env: {} };
    execFile(file, [...words, '/bin/true'], options, (error) => resolve(error === null));
  });
}
