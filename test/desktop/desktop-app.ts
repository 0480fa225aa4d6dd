import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from 'playwright';
import { DESKTOP_OUT } from '../../scripts/build-desktop.ts';
import { ROOT } from '../../scripts/source-tree.ts';
import { toolPath } from '../setup/tools.ts';
import type { electron as standin } from './standin/electron.ts';

export type Kind = 'stand-in' | 'Electron';

/** Argument of a function that runs in the main process: Electron, and on the stand-in its recordings. */
type InMain = Pick<typeof Electron, 'app' | 'BrowserWindow' | 'ipcMain' | 'powerMonitor'> &
  Pick<typeof standin, 'recorder' | 'session' | 'Menu' | 'nativeTheme'>;

const REGISTER = new URL('./standin/register.ts', import.meta.url).href;
const MAIN = join(DESKTOP_OUT, 'main.mjs');
const TIMEOUT_MS = 45_000;
/** The build that can have no windows does the same and starts in a quarter of the time. */
const CHROMIUM = toolPath('chromium-headless-shell') ?? toolPath('chromium');

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  /** Of an application that ran before. */
  readonly appData?: string;
  /** The built entry of another application than the repository's; the stand-in's only. */
  readonly main?: string;
}

/**
 * Returns the reason why tests of this kind cannot run here; null when they can. Never loads `electron`, which would
 * start a download.
 */
export function missing(kind: Kind): string | null {
  if (kind === 'stand-in') return CHROMIUM === null ? 'not installed: chromium' : null;
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(ROOT, 'node_modules/electron/dist');
  if (!existsSync(join(dist, 'version'))) return 'not installed: the Electron binary';
  const hasDisplay = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  return hasDisplay ? null : 'no display for the Electron binary';
}

/** A running application, on the stand-in or on Electron. */
export abstract class DesktopApp {
  readonly appData: string;
  abstract readonly ended: Promise<number | null>;

  constructor(appData: string) {
    this.appData = appData;
  }

  get userData(): string {
    return join(this.appData, 'Faxdesk');
  }

  get dataFolder(): string {
    return join(this.userData, 'data');
  }

  /** Runs a function in the main process. It sees its argument and nothing around it. */
  abstract evaluate<R, A>(work: (electron: InMain, argument: A) => R, argument?: A): Promise<Awaited<R>>;
  /** The page of the window. */
  abstract window(): Promise<Page>;
  /** Starts the application once more with these words; resolves when that instance has ended. */
  abstract secondInstance(...words: string[]): Promise<number | null>;
  /** Returns the output of the application, for a test that failed. */
  abstract output(): string;
  protected abstract finish(): Promise<void>;

  async quit(): Promise<void> {
    // The answer may be lost with the process.
    await this.evaluate(({ app }) => void setTimeout(() => app.quit(), 0)).catch(() => {});
  }

  /** Ends the application, and removes its data unless `keepData` is set. */
  async close(options: { keepData?: boolean } = {}): Promise<void> {
    await this.quit();
    await this.finish();
    if (!options.keepData) rmSync(this.appData, { recursive: true, force: true, maxRetries: 5 });
  }

  async gatewayPid(): Promise<number | null> {
    return this.evaluate(({ app }) => {
      const metrics = app.getAppMetrics();
      return metrics.find(({ serviceName }) => serviceName === 'Faxdesk gateway')?.pid ?? null;
    });
  }

  /** The address of the gateway, as it leaves it in its data folder. */
  gatewayUrl(): string {
    return (JSON.parse(readFileSync(join(this.dataFolder, 'gateway.json'), 'utf8')) as { url: string }).url;
  }

  installationKey(): string {
    return readFileSync(join(this.dataFolder, 'installation.key'), 'utf8').trim();
  }

  /** The page, once it shows the console. */
  async console(): Promise<Page> {
    const isConsole = () => {
      const it = globalThis as unknown as { faxdesk?: object; location: { protocol: string } };
      return it.faxdesk !== undefined && it.location.protocol.startsWith('http');
    };
    const began = performance.now();
    for (;;) {
      const page = await this.window();
      // A window may be replaced by another one meanwhile.
      const shown = await page.waitForFunction(isConsole, undefined, { timeout: 2_000 }).catch(() => null);
      if (shown !== null) return page;
      if (performance.now() - began > TIMEOUT_MS)
        throw new Error(`no console at ${page.url()}\n${this.output()}`);
    }
  }
}

export async function launch(kind: Kind, options: LaunchOptions = {}): Promise<DesktopApp> {
  const appData = options.appData ?? mkdtempSync(join(tmpdir(), 'faxdesk-desktop-'));
  return kind === 'stand-in' ? StandinApp.launch(appData, options) : RealApp.launch(appData, options);
}

/** Any port, a data folder of its own beside its profile, and no environment of the developer's own. */
function environment(appData: string, options: LaunchOptions): Record<string, string> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(FAX|CLOUD|API_KEY|DATABASE_URL)/u.test(name),
  );
  // The profile of an account of Windows does not roam unless a test has another folder for it.
  const told = { PORT: '0', FAXDESK_DATA: join(appData, 'Faxdesk', 'data'), LOCALAPPDATA: appData };
  return { ...(Object.fromEntries(own) as Record<string, string>), ...told, ...options.env };
}

class StandinApp extends DesktopApp {
  readonly ended: Promise<number | null>;
  readonly #words: readonly string[];
  readonly #env: Record<string, string>;
  readonly #process: ChildProcess;
  #output = '';
  #browser: Browser | null = null;
  #endpoint = '';

  private constructor(appData: string, words: readonly string[], env: Record<string, string>) {
    super(appData);
    this.#words = words;
    this.#env = env;
    this.#process = this.#spawn([], env);
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (bytes) => {
        this.#output += String(bytes);
      });
    this.ended = once(this.#process, 'exit').then(([code]) => code as number | null);
  }

  static async launch(appData: string, options: LaunchOptions): Promise<StandinApp> {
    const words = [
      '--disable-warning=ExperimentalWarning',
      '--import',
      REGISTER,
      options.main ?? MAIN,
      ...(options.words ?? []),
    ];
    const own = {
      STANDIN_APP_DATA: appData,
      STANDIN_CONTROL: join(appData, 'control.socket'),
      ...(CHROMIUM === null ? {} : { STANDIN_CHROMIUM: CHROMIUM }),
    };
    rmSync(own.STANDIN_CONTROL, { force: true });
    const started = new StandinApp(appData, words, { ...environment(appData, options), ...own });
    await started.#until(() => isListening(own.STANDIN_CONTROL));
    return started;
  }

  #spawn(words: readonly string[], env: Record<string, string>): ChildProcess {
    const all = [...this.#words, ...words];
    return spawn(process.execPath, all, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async evaluate<R, A>(work: (electron: InMain, argument: A) => R, argument?: A): Promise<Awaited<R>> {
    const text = await this.#post(JSON.stringify({ source: String(work), argument }));
    const answer = JSON.parse(text) as { value: Awaited<R> } | { error: string };
    if ('error' in answer) throw new Error(answer.error);
    return answer.value;
  }

  #post(body: string): Promise<string> {
    const socketPath = this.#env['STANDIN_CONTROL'] ?? '';
    return new Promise((resolve, reject) => {
      const asking = request({ socketPath, method: 'POST' }, (response) => {
        let text = '';
        response.on('data', (bytes) => {
          text += String(bytes);
        });
        response.on('end', () => resolve(text));
        response.on('error', reject);
      });
      asking.on('error', (error) => reject(new Error(`${error.message}\n${this.#output}`)));
      asking.end(body);
    });
  }

  async window(): Promise<Page> {
    let found: Page | undefined;
    await this.#until(async () => {
      const shown = await this.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
          targetId: string;
          session: { endpoint(): Promise<string> };
        };
        if (!contents?.targetId) return null;
        return { targetId: contents.targetId, endpoint: await contents.session.endpoint() };
      });
      if (shown === null) return false;
      found = await this.#pageAt(shown);
      return found !== undefined;
    });
    return found as Page;
  }

  async #pageAt({ targetId, endpoint }: { targetId: string; endpoint: string }): Promise<Page | undefined> {
    if (this.#endpoint !== endpoint || !this.#browser?.isConnected()) {
      await this.#browser?.close();
      this.#browser = await chromium.connectOverCDP(endpoint);
      this.#endpoint = endpoint;
    }
    const pages = this.#browser?.contexts().flatMap((context) => context.pages()) ?? [];
    for (const page of pages) if ((await targetIdOf(page)) === targetId) return page;
    return undefined;
  }

  async secondInstance(...words: string[]): Promise<number | null> {
    const { STANDIN_CONTROL: _, ...env } = this.#env;
    const second = this.#spawn(words, env);
    const [code] = (await once(second, 'exit')) as [number | null];
    return code;
  }

  output(): string {
    return this.#output;
  }

  protected async finish(): Promise<void> {
    const hurry = setTimeout(() => this.#process.kill('SIGKILL'), TIMEOUT_MS);
    await this.ended;
    clearTimeout(hurry);
    await this.#browser?.close().catch(() => {});
  }

  async #until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const began = performance.now();
    while (!(await condition())) {
      const late = performance.now() - began > TIMEOUT_MS;
      if (late || this.#process.exitCode !== null)
        throw new Error(`The application did not start: ${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Null for a page that closes meanwhile, as one does where the window goes to another gateway. */
async function targetIdOf(page: Page): Promise<string | null> {
  try {
    const cdp = await page.context().newCDPSession(page);
    const { targetInfo } = await cdp.send('Target.getTargetInfo');
    await cdp.detach();
    return targetInfo.targetId;
  } catch {
    return null;
  }
}

/** The file of a socket is there a moment before anybody listens. */
async function isListening(socketPath: string): Promise<boolean> {
  const line = connect(socketPath);
  try {
    await once(line, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    line.destroy();
  }
}

/** The real binary, through Playwright. */
class RealApp extends DesktopApp {
  readonly ended: Promise<number | null>;
  readonly #app: ElectronApplication;
  readonly #args: readonly string[];
  readonly #env: Record<string, string>;
  #output = '';

  private constructor(
    appData: string,
    app: ElectronApplication,
    args: readonly string[],
    env: Record<string, string>,
  ) {
    super(appData);
    this.#app = app;
    this.#args = args;
    this.#env = env;
    const child = app.process();
    child.stderr?.on('data', (bytes) => {
      this.#output += String(bytes);
    });
    this.ended = once(child, 'exit').then(([code]) => code as number | null);
  }

  static async launch(appData: string, options: LaunchOptions): Promise<RealApp> {
    const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const args = [...sandbox, `--user-data-dir=${join(appData, 'Faxdesk')}`, ROOT];
    const env = environment(appData, options);
    const app = await _electron.launch({ args: [...args, ...(options.words ?? [])], env, cwd: ROOT });
    return new RealApp(appData, app, args, env);
  }

  evaluate<R, A>(work: (electron: InMain, argument: A) => R, argument?: A): Promise<Awaited<R>> {
    return this.#app.evaluate(work as never, argument as never) as Promise<Awaited<R>>;
  }

  async window(): Promise<Page> {
    return this.#app.windows().findLast((page) => !page.isClosed()) ?? (await this.#app.firstWindow());
  }

  async secondInstance(...words: string[]): Promise<number | null> {
    const program = this.#app.process().spawnfile;
    const second = spawn(program, [...this.#args, ...words], { cwd: ROOT, env: this.#env, stdio: 'ignore' });
    const [code] = (await once(second, 'exit')) as [number | null];
    return code;
  }

  output(): string {
    return this.#output;
  }

  protected async finish(): Promise<void> {
    const hurry = setTimeout(() => this.#app.process().kill('SIGKILL'), TIMEOUT_MS);
    await this.ended;
    clearTimeout(hurry);
  }
}
