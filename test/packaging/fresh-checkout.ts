import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The folders of PATH without those that npm adds for its scripts. */
const systemPath = () =>
  (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));

/**
 * Returns the reason why the documented commands cannot be tested here as on a computer with an older Node.js; null
 * when they can.
 */
export function freshCheckoutUnavailable(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'Node.js comes with the packages on Linux only.';
  const folder = systemPath().find((each) => existsSync(join(each, 'node')));
  if (folder === undefined) return 'This system has no Node.js of its own.';
  const version = execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  if (Number(/^v(\d+)/u.exec(version)?.[1]) >= 24)
    return `The Node.js of this system, ${version}, is no older one.`;
  if (!existsSync(join(ROOT, '.git'))) return 'This is no checkout.';
  return null;
}

/** The files of this checkout in a folder of their own, where nothing is installed, for a person of this system. */
export class FreshCheckout {
  readonly folder: string;
  readonly home: string;
  readonly #running = new Set<ChildProcess>();

  constructor(folder: string) {
    this.folder = join(folder, 'checkout');
    this.home = join(folder, 'home');
  }

  /** Types a line into a shell there. */
  async run(line: string, environment: Record<string, string> = {}): Promise<CommandResult> {
    const child = this.#spawn(line, environment);
    const output = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.err += text));
    const [code] = (await once(child, 'close')) as [number | null];
    this.#running.delete(child);
    return { code, ...output };
  }

  /** Types a line that goes on, and answers what it printed once that names an address. */
  async runUntilReady(line: string, environment: Record<string, string> = {}): Promise<string> {
    const child = this.#spawn(line, environment);
    let output = '';
    return new Promise((resolve, reject) => {
      const appendOutput = (text: string) => {
        output += text;
        if (/ready at http/u.test(output)) resolve(output);
      };
      child.stdout?.setEncoding('utf8').on('data', appendOutput);
      child.stderr?.setEncoding('utf8').on('data', appendOutput);
      child.once('close', () => reject(new Error(`${line} has ended: ${output}`)));
    });
  }

  /** Ends what goes on as Ctrl-C does. */
  async stop(): Promise<void> {
    for (const child of this.#running) {
      if (child.exitCode !== null || child.pid === undefined) continue;
      const ended = once(child, 'close');
      process.kill(-child.pid, 'SIGINT');
      await ended;
    }
    this.#running.clear();
  }

  #spawn(line: string, environment: Record<string, string>): ChildProcess {
    const child = spawn('/bin/sh', ['-c', line], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...this.#environment(), ...environment },
    });
    this.#running.add(child);
    return child;
  }

  #environment(): Record<string, string> {
    const kept =
      /^(?:LANG|TMPDIR|TZ|npm_config_(?!local_prefix|node|npm).*|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/iu;
    const passed = Object.entries(process.env).filter(
      (entry): entry is [string, string] => kept.test(entry[0]) && entry[1] !== undefined,
    );
    return {
      npm_config_cache: join(homedir(), '.npm'),
      npm_config_userconfig: join(homedir(), '.npmrc'),
      ...Object.fromEntries(passed),
      npm_config_prefer_offline: 'true',
      HOME: this.home,
      PATH: systemPath().join(delimiter),
    };
  }
}

export async function makeFreshCheckout(): Promise<{
  checkout: FreshCheckout;
  folder: string;
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-fresh-'));
  const checkout = new FreshCheckout(folder);
  await mkdir(checkout.home, { recursive: true });
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const name of listed.split('\0').filter((each) => each !== '' && existsSync(join(ROOT, each)))) {
    const to = join(checkout.folder, name);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(ROOT, name), to);
  }
  const remove = async () => {
    await checkout.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { checkout, folder, remove };
}
