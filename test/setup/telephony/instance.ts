import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AmiAddress, AmiConnection } from './ami-connection.ts';
import type { Asterisk } from './asterisk.ts';

/** One running engine with folders of its own. */
export interface Instance {
  readonly manager: AmiAddress;
  /** Its configuration, by the names of files. */
  readonly etc: string;
  /** Output while it runs: its log. */
  readonly log: string;
  /** Starts it, or again after a stop or kill; comes back when it takes calls. */
  start(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** A command of its console; answers its words. */
  cli(command: string): string;
  /** A manager connection that is signed in; close it. */
  connect(): Promise<AmiConnection>;
}

interface InstanceParts {
  readonly asterisk: Asterisk;
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  readonly manager: AmiAddress;
}

/**
 * The engine dies with the test run: the shell's standard input closes then, however it ended. With it dies what the engine began,
 * such as a hand-over that is tried again. The engine goes first: one that is started again finds its ports and folders free.
 */
const SUPERVISOR = `
"$@" &
engine=$!
cat >/dev/null
kill -KILL "$engine"
wait "$engine"
kill -KILL 0
`;

/** It is up within half a second where nobody else wants the machine. */
const POLL_MS = 50;
const MAX_POLLS = 1200;

const EMPTY = [
  'acl',
  'pjproject',
  'indications',
  'cdr',
  'cel',
  'ccss',
  'features',
  'codecs',
  'sorcery',
  'stasis',
];

/** Writes the folders of an instance; {@link Instance.start} starts it. */
export async function createInstance(parts: InstanceParts): Promise<Instance> {
  const etc = join(parts.folder, 'etc');
  const log = join(parts.folder, 'log', 'messages');
  for (const name of ['etc', 'lib', 'run', 'log', 'spool'])
    await mkdir(join(parts.folder, name), { recursive: true });
  const files = {
    ...Object.fromEntries(EMPTY.map((name) => [`${name}.conf`, ''])),
    'logger.conf': '[logfiles]\nmessages => notice,warning,error\n',
    'asterisk.conf': mainFile(parts),
    ...parts.files,
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(etc, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
  return new RunningInstance(parts, { etc, log });
}

function mainFile({ asterisk, folder }: InstanceParts): string {
  const places = {
    astetcdir: 'etc',
    astvarlibdir: 'lib',
    astdbdir: 'lib',
    astkeydir: 'lib',
    astcachedir: 'spool',
    astspooldir: 'spool',
    astrundir: 'run',
    astlogdir: 'log',
  };
  const own = Object.entries(places).map(([name, place]) => `${name} => ${join(folder, place)}`);
  const shared = [
    `astmoddir => ${asterisk.modules}`,
    `astdatadir => ${asterisk.data}`,
    `astagidir => ${asterisk.data}/agi-bin`,
  ];
  return `[directories]\n${[...own, ...shared].join('\n')}\n[options]\nverbose = 0\n`;
}

class RunningInstance implements Instance {
  readonly manager: AmiAddress;
  readonly etc: string;
  readonly log: string;
  readonly #command: readonly string[];
  readonly #folder: string;
  #child: ChildProcess | null = null;

  constructor(parts: InstanceParts, { etc, log }: { etc: string; log: string }) {
    this.manager = parts.manager;
    this.etc = etc;
    this.log = log;
    this.#folder = parts.folder;
    this.#command = [...parts.asterisk.command, '-C', join(etc, 'asterisk.conf')];
  }

  async start(): Promise<void> {
    // With precedence (-p): sound must come in time on a busy machine too.
    const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', ...this.#command, '-f', '-n', '-q', '-p'], {
      cwd: this.#folder,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // The run's own end must not wait for it.
    child.unref();
    this.#child = child;
    const manager = await this.#waitUntilUp(child);
    await manager.close();
  }

  async #waitUntilUp(child: ChildProcess): Promise<AmiConnection> {
    for (let left = MAX_POLLS; ; left -= 1) {
      try {
        return await this.connect();
      } catch (error) {
        const over = left === 0 || child.exitCode !== null;
        if (over) throw new Error(`the engine did not start, see ${this.log}`, { cause: error });
      }
      await pause(POLL_MS);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    child.ref();
    const ended = child.exitCode === null ? once(child, 'exit') : null;
    child.stdin?.end();
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
  }

  cli(command: string): string {
    const [program, ...args] = [...this.#command, '-rx', command];
    return spawnSync(program, args, { encoding: 'utf8' }).stdout;
  }

  async connect(): Promise<AmiConnection> {
    return AmiConnection.connect(this.manager);
  }
}
