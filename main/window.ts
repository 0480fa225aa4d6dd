import { app, BrowserWindow, type Session } from 'electron';
import { LOCAL_ORIGIN, type PageEvents } from './channels.ts';
import { builtFile, resourceFile } from './files.ts';
import { pagePreferences } from './security.ts';
import { MIN_SIZE, openingState, rememberState } from './window-state.ts';

/** Chromium's code for a load that another one replaced. */
const ABORTED = -3;

interface WindowParts {
  /** Folder in which its place is stored. */
  readonly folder: string;
  /** The window is about to close: true keeps it, hidden. */
  readonly shouldKeepRunning: () => boolean;
  /** A page of the gateway could not be loaded. */
  readonly onLoadFailed: () => void;
  /** Called when the system is about to end; returning true requests a delay. */
  readonly onSessionEnding: () => boolean;
}

/** The one window. It outlives being closed, hidden, unless the application quits. */
export function createMainWindow(parts: WindowParts): MainWindow {
  return new MainWindow(parts);
}

export type { MainWindow };

class MainWindow {
  readonly #parts: WindowParts;
  #window: BrowserWindow | null = null;
  #target = '';

  constructor(parts: WindowParts) {
    this.#parts = parts;
  }

  /** Opens the window of a session in place of the one before. */
  async open(session: Session, options: { show: boolean }): Promise<void> {
    const before = this.#window;
    const { maximized, ...place } = await openingState(this.#parts.folder);
    const window = new BrowserWindow({
      ...place,
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      title: 'Faxdesk',
      // Elsewhere it comes with the program.
      ...(process.platform === 'linux' ? { icon: resourceFile('icons', 'app', '256x256.png') } : {}),
      show: false,
      autoHideMenuBar: true,
      webPreferences: pagePreferences(builtFile('preload.cjs'), session, app.getVersion()),
    });
    this.#window = window;
    this.#target = '';
    before?.destroy();
    if (maximized) window.maximize();
    if (options.show) window.once('ready-to-show', () => window.show());
    rememberState(window, this.#parts.folder);
    this.#listen(window);
  }

  #listen(window: BrowserWindow): void {
    window.on('close', (event) => {
      if (!this.#parts.shouldKeepRunning()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('query-session-end', (event) => {
      if (this.#parts.onSessionEnding()) event.preventDefault();
    });
    const { webContents } = window;
    webContents.on('did-fail-load', (_event, code, _words, url, isMainFrame) => {
      if (isMainFrame && code !== ABORTED && !url.startsWith(LOCAL_ORIGIN)) this.#parts.onLoadFailed();
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit' && this.#target !== '') void this.#load(this.#target);
    });
  }

  get id(): number | null {
    return this.#window?.webContents.id ?? null;
  }

  get browserWindow(): BrowserWindow | null {
    return this.#window;
  }

  get session(): Session | null {
    return this.#window?.webContents.session ?? null;
  }

  /** Shows the application's own page. It is loaded once, and receives each status afterwards. */
  async showLocalPage(): Promise<void> {
    if (this.#target !== `${LOCAL_ORIGIN}/`) await this.#load(`${LOCAL_ORIGIN}/`);
  }

  /** The console of the gateway at `origin`; a page of it that is loaded already stays as it is. */
  async showConsole(origin: string): Promise<void> {
    const target = `${origin}/admin/ui/`;
    if (this.#target !== target) await this.#load(target);
  }

  /** `did-fail-load` reports a failed load. */
  async #load(url: string): Promise<void> {
    this.#target = url;
    await this.#window?.loadURL(url).catch(() => {});
  }

  send<Name extends keyof PageEvents>(name: Name, ...facts: PageEvents[Name]): void {
    this.#window?.webContents.send(name, ...facts);
  }

  show(): void {
    const window = this.#window;
    if (window === null) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Shown, and the one that a person works in. */
  get isInFront(): boolean {
    const window = this.#window;
    return window !== null && window.isVisible() && !window.isMinimized() && window.isFocused();
  }
}
