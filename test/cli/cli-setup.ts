import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { sendingSettings, startTestEmulator } from '../setup/gateway.ts';
import { runHosted } from './command-host.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Environment variables passed on to a command, including the compile cache of the test run. */
export const PASSED_ON = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** Commands that serve, or that hold a data folder as the one process that works on it. */
const OF_THEIR_OWN = ['serve', 'start', 'backup', 'restore', 'diagnose', 'recover-owner', 'move'];

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The real command line as child processes, on a data folder of its own, with a provider emulator. */
export class CommandLine {
  readonly folder: string;
  readonly emulator: CloudoneEmulator;
  #gateway: ChildProcess | null = null;
  /** Groups of commands of which one ran in a process of its own. */
  readonly #ran = new Set<string>();
  ready = '';

  constructor(folder: string, emulator: CloudoneEmulator) {
    this.folder = folder;
    this.emulator = emulator;
  }

  /** Starts `faxdesk serve` and waits for its one line. */
  async serve(environment: Record<string, string> = sendingSettings(this.emulator)): Promise<void> {
    const gateway = this.spawn(['serve', '--port', '0'], environment);
    this.#gateway = gateway;
    let out = '';
    gateway.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    while (!out.includes('\n')) {
      if (gateway.exitCode !== null) throw new Error(`the gateway ended with ${gateway.exitCode}`);
      await Promise.race([once(gateway.stdout ?? gateway, 'data'), once(gateway, 'exit')]);
    }
    this.ready = out;
  }

  /** Ends the gateway with a signal and answers its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const gateway = this.#gateway;
    this.#gateway = null;
    if (!gateway || gateway.exitCode !== null) return gateway?.exitCode ?? null;
    gateway.kill(signal);
    const [code] = (await once(gateway, 'exit')) as [number | null];
    return code;
  }

  spawn(words: readonly string[], environment: Record<string, string> = {}): ChildProcess {
    const env = { ...PASSED_ON, FAXDESK_DATA: this.folder, ...environment };
    return spawn(process.execPath, ['server/faxdesk.mjs', ...words], { cwd: ROOT, env });
  }

  /**
   * Runs a command as a process of its own where it is the first of its group, has an environment, or works on the data
   * itself; the others run in a process that has the command line loaded.
   */
  async run(words: readonly string[], environment: Record<string, string> = {}, input = ''): Promise<Result> {
    const group = words.find((word) => !word.startsWith('-')) ?? '';
    const isHosted = this.#ran.has(group) && Object.keys(environment).length === 0;
    this.#ran.add(group);
    if (isHosted && !OF_THEIR_OWN.includes(group) && !words.includes('--offline'))
      return runHosted({
        words: words.map(String),
        environment: { ...PASSED_ON, FAXDESK_DATA: this.folder },
        input,
      });
    return this.#runProcess(words, environment, input);
  }

  async #runProcess(
    words: readonly string[],
    environment: Record<string, string>,
    input: string,
  ): Promise<Result> {
    const child = this.spawn(words, environment);
    let out = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin?.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out, err };
  }

  /** Runs a command with `--json` and returns its parsed output; throws when it fails. */
  async json<T>(...words: string[]): Promise<T> {
    const { code, out, err } = await this.run([...words, '--json']);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${code} ${err}`);
    return JSON.parse(out) as T;
  }

  /** Makes an item over HTTP, for a test of something else: a command takes a process. */
  async create<T>(path: string, facts: object): Promise<T> {
    const key = (await readFile(join(this.folder, 'installation.key'), 'utf8')).trim();
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const me = await fetch(`${this.url}/auth/me`, { headers });
    const { policy_version } = (await me.json()) as { policy_version: number };
    const body = JSON.stringify({ ...facts, expected_policy_version: policy_version });
    const answer = await fetch(this.url + path, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** `http://127.0.0.1:<port>` of the running gateway. */
  get url(): string {
    return /http:\/\/[^/]+/u.exec(this.ready)?.[0] ?? '';
  }

  async close(): Promise<void> {
    await this.stop();
    await this.emulator.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export async function openCommandLine(): Promise<CommandLine> {
  return new CommandLine(await mkdtemp(join(tmpdir(), 'faxdesk-cli-')), await startTestEmulator());
}
