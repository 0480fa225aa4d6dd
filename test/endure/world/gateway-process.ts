import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';

const CLI = join(ROOT, 'server/cli.ts');
const PRELOAD = join(ROOT, 'test/endure/preload.ts');
const READY = /ready at (http:\/\/[^/\s]+)/u;

interface ProcessPlan {
  /** Words of the command line, such as `serve`. */
  readonly words: readonly string[];
  readonly dataFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** By how much its clock is ahead of the real one. */
  readonly aheadMs: number;
  /** Maximum number of open files; null for the limit of the system. */
  readonly descriptors?: number | null;
}

interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A command of Faxdesk in a process of its own, as it is installed, that can be paused and killed. */
export class GatewayProcess {
  url = '';
  /** The last of what it printed on either stream. */
  output = '';
  readonly ended: Promise<ExitStatus>;
  readonly #process: ChildProcess;
  readonly #ready: Promise<boolean>;

  constructor(plan: ProcessPlan) {
    const [file, words] = commandOf(plan);
    this.#process = spawn(file, words, optionsOf(plan));
    this.ended = once(this.#process, 'close').then(
      ([code, signal]) => ({ code, signal }),
      () => ({ code: 1, signal: null }),
    );
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (bytes: Buffer) => this.#appendOutput(bytes.toString('utf8')));
    const whenAddressPrinted = new Promise<boolean>((resolve) => {
      this.#process.stdout?.on('data', () => {
        this.url = READY.exec(this.output)?.[1] ?? this.url;
        if (this.url !== '') resolve(true);
      });
    });
    this.#ready = Promise.race([whenAddressPrinted, this.ended.then(() => false)]);
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** False when it ended before it was ready. */
  ready(): Promise<boolean> {
    return this.#ready;
  }

  /** Sets its clock. */
  setClockOffset(aheadMs: number): void {
    if (this.#process.connected) this.#process.send({ aheadMs }, () => undefined);
  }

  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.#process.kill(name);
  }

  /** Ends it at once. */
  async kill(): Promise<ExitStatus> {
    this.signal('SIGKILL');
    return this.ended;
  }

  /** Ends it and what it started at once, as a power failure does. */
  async killAll(): Promise<ExitStatus> {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended already, and so has what it started.
    }
    return this.ended;
  }

  #appendOutput(text: string): void {
    if (process.env['ENDURE_SHOW']) process.stderr.write(text);
    this.output = (this.output + text).slice(-20_000);
  }
}

function commandOf({ words, dataFolder, descriptors }: ProcessPlan): [string, string[]] {
  const all = ['--import', PRELOAD, CLI, ...words, '--data', dataFolder];
  if (descriptors === undefined || descriptors === null) return [process.execPath, all];
  return ['/bin/sh', ['-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath, ...all]];
}

function optionsOf({ environment, aheadMs }: ProcessPlan): SpawnOptions {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  return {
    env: { PATH, HOME, TMPDIR, ENDURE_AHEAD_MS: String(aheadMs), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // It leads a group of its own, with what it starts.
    detached: true,
  };
}
