import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { record } from './recorder.ts';
import { settings } from './settings.ts';

interface Closable {
  close(): void;
  isDestroyed(): boolean;
}

interface InstanceMessage {
  readonly argv: string[];
  readonly folder: string;
}

type Covered =
  | 'commandLine'
  | 'enableSandbox'
  | 'exit'
  | 'getAppMetrics'
  | 'getAppPath'
  | 'getBadgeCount'
  | 'getLoginItemSettings'
  | 'getName'
  | 'getPath'
  | 'getVersion'
  | 'isInApplicationsFolder'
  | 'isPackaged'
  | 'isReady'
  | 'moveToApplicationsFolder'
  | 'quit'
  | 'releaseSingleInstanceLock'
  | 'requestSingleInstanceLock'
  | 'setAppUserModelId'
  | 'setBadgeCount'
  | 'setLoginItemSettings'
  | 'setName'
  | 'setPath'
  | 'whenReady';

/** The application's life, with a real lock between its instances. */
class App extends EventEmitter implements Pick<Electron.App, Covered> {
  readonly isPackaged = false;
  readonly commandLine = {
    hasSwitch: (name: string) => process.argv.some((message) => message.split('=')[0] === `--${name}`),
  } as Electron.CommandLine;
  /** Filled by the parts that they belong to. */
  windows: () => readonly Closable[] = () => [];
  metrics: () => Electron.ProcessMetric[] = () => [];
  beforeExit: () => Promise<unknown> = async () => {};
  #name = 'Electron';
  #paths = new Map<string, string>();
  #badge = 0;
  #login: Electron.Settings = {};
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #lock: Server | null = null;
  #notified: Promise<void> = Promise.resolve();
  #exiting = false;

  boot(): void {
    if (this.#exiting) return;
    this.#isReady = true;
    this.emit('ready', {}, {});
    this.#ready.resolve();
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  getName(): string {
    return this.#name;
  }

  setName(name: string): void {
    this.#name = name;
  }

  getVersion(): string {
    if (settings.version !== null) return settings.version;
    const file = new URL('../../../package.json', import.meta.url);
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }

  getAppPath(): string {
    return process.cwd();
  }

  getPath(name: string): string {
    const set = this.#paths.get(name);
    if (set !== undefined) return set;
    if (name === 'appData') return settings.appData;
    if (name === 'temp') return tmpdir();
    if (name === 'exe' && settings.program !== null) return settings.program;
    if (name === 'userData') return join(settings.appData, this.#name);
    return join(settings.appData, name);
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  setAppUserModelId(id: string): void {
    record('app.setAppUserModelId', id);
  }

  enableSandbox(): void {
    record('app.enableSandbox');
  }

  isInApplicationsFolder(): boolean {
    return this.getPath('exe').startsWith('/Applications/');
  }

  /** Electron quits then. Here the application stays, and the test looks at it. */
  moveToApplicationsFolder(_options?: Electron.MoveToApplicationsFolderOptions): boolean {
    record('app.moveToApplicationsFolder');
    return true;
  }

  setBadgeCount(count = 0): boolean {
    this.#badge = count;
    return true;
  }

  getBadgeCount(): number {
    return this.#badge;
  }

  setLoginItemSettings(login: Electron.Settings): void {
    this.#login = login;
    record('app.setLoginItemSettings', login);
  }

  getLoginItemSettings(): Electron.LoginItemSettings {
    const openAtLogin = this.#login.openAtLogin ?? false;
    return { openAtLogin, wasOpenedAtLogin: false } as Electron.LoginItemSettings;
  }

  getAppMetrics(): Electron.ProcessMetric[] {
    return this.metrics();
  }

  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData');
    mkdirSync(folder, { recursive: true });
    const [holder, socket] = [join(folder, 'standin.pid'), join(folder, 'standin.socket')];
    if (isAlive(holder)) {
      const message: InstanceMessage = { argv: process.argv, folder: process.cwd() };
      this.#notified = notifyFirstInstance(socket, message);
      return false;
    }
    rmSync(socket, { force: true });
    writeFileSync(holder, String(process.pid));
    this.#lock = createServer((caller) => {
      let text = '';
      caller.on('data', (bytes) => {
        text += bytes.toString();
      });
      caller.on('end', () => {
        const { argv, folder: workingFolder } = JSON.parse(text) as InstanceMessage;
        this.emit('second-instance', {}, argv, workingFolder, null);
      });
    }).listen(socket);
    return true;
  }

  releaseSingleInstanceLock(): void {
    this.#lock?.close();
    if (this.#lock !== null) rmSync(join(this.getPath('userData'), 'standin.pid'), { force: true });
    this.#lock = null;
  }

  /** Quits as Electron does: emits `before-quit`, closes every window, then emits `will-quit`. */
  quit(): void {
    if (this.#exiting || !this.#allows('before-quit')) return;
    for (const window of this.windows()) {
      window.close();
      if (!window.isDestroyed()) return;
    }
    if (!this.#allows('will-quit')) return;
    this.emit('quit', {}, 0);
    this.exit(0);
  }

  exit(code = 0): void {
    if (this.#exiting) return;
    this.#exiting = true;
    this.releaseSingleInstanceLock();
    void Promise.all([this.#notified, this.beforeExit()]).finally(() => process.exit(code));
  }

  #allows(event: string): boolean {
    let allowed = true;
    const preventDefault = () => {
      allowed = false;
    };
    this.emit(event, { preventDefault });
    return allowed;
  }
}

function isAlive(pidFile: string): boolean {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

function notifyFirstInstance(socket: string, message: InstanceMessage): Promise<void> {
  return new Promise((resolve) => {
    const line = connect(socket);
    line.on('close', () => resolve());
    line.on('error', () => resolve());
    line.end(JSON.stringify(message));
  });
}

export const app = new App();
