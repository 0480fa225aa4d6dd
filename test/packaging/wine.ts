import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Windows of the test's own in Wine. */
export class WineComputer {
  readonly folder = mkdtempSync(join(tmpdir(), 'faxdesk-wine-'));
  readonly #overrides: string;

  /** `overrides` are programs of Windows that the test has replaced, as in `netsh.exe=n`. */
  constructor(...overrides: string[]) {
    // Neither a window nor the programs that it would offer to download.
    this.#overrides = ['mscoree,mshtml=', ...overrides].join(';');
    for (const name of ['home', 'prefix']) mkdirSync(join(this.folder, name));
    // Otherwise it ends and starts again with every program.
    this.#serve('--persistent');
    this.run('wineboot', '--init');
  }

  path(...parts: string[]): string {
    return join(this.folder, 'prefix/drive_c', ...parts);
  }

  /** Runs a program of Windows and waits for its end. */
  run(program: string, ...args: string[]): { code: number | null; output: string } {
    // A pipe would wait for the services of Wine, which have it as well.
    const file = join(this.folder, 'output');
    const output = openSync(file, 'w');
    const { status } = spawnSync('wine', [program, ...args], {
      cwd: this.folder,
      env: this.env,
      stdio: ['ignore', output, 'ignore'],
      timeout: 120_000,
    });
    closeSync(output);
    return { code: status, output: readFileSync(file, 'utf8') };
  }

  /** Starts it anew: its service manager works only from the second start on. */
  restart(): void {
    this.#end();
    this.#serve('--persistent');
  }

  close(): void {
    this.#end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      HOME: join(this.folder, 'home'),
      WINEPREFIX: join(this.folder, 'prefix'),
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: this.#overrides,
      DISPLAY: '',
    };
  }

  #end(): void {
    this.#serve('--kill');
    this.#serve('--wait');
  }

  #serve(word: string): void {
    spawnSync('wineserver', [word], { env: this.env, stdio: 'ignore', timeout: 60_000 });
  }
}
