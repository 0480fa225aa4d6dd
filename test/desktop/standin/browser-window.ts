import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { app } from './app.ts';
import type { Picture } from './parts.ts';
import { record } from './recorder.ts';
import { owners, session } from './session.ts';
import { settings } from './settings.ts';
import { WebContents, type WebPreferences } from './web-contents.ts';

type Covered =
  | 'close'
  | 'destroy'
  | 'focus'
  | 'getBounds'
  | 'getNormalBounds'
  | 'hide'
  | 'id'
  | 'isDestroyed'
  | 'isFocused'
  | 'isFullScreen'
  | 'isMaximized'
  | 'isMinimized'
  | 'isVisible'
  | 'loadURL'
  | 'maximize'
  | 'minimize'
  | 'restore'
  | 'setBounds'
  | 'setOverlayIcon'
  | 'show'
  | 'unmaximize';

type Options =
  | Electron.BrowserWindowConstructorOptions
  | (Omit<Electron.BrowserWindowConstructorOptions, 'webPreferences'> & { webPreferences?: WebPreferences });

const windows = new Set<BrowserWindow>();
let last = 0;

/** Window without its frame: it records the calls of the application, and its page is a real one. */
export class BrowserWindow extends EventEmitter implements Pick<Electron.BrowserWindow, Covered> {
  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }

  readonly id = (last += 1);
  readonly webContents: WebContents;
  readonly options: Options;
  #bounds: Electron.Rectangle;
  #visible: boolean;
  #maximized = false;
  #minimized = false;
  #focused = false;
  #destroyed = false;
  #loaded = false;

  constructor(options: Options = {}) {
    super();
    this.options = options;
    const { x = 100, y = 50, width = 800, height = 600, webPreferences = {} } = options;
    this.#bounds = { x, y, width, height };
    this.#visible = options.show !== false;
    const preferences = webPreferences as WebPreferences;
    this.webContents = new WebContents(preferences.session ?? session.defaultSession, preferences);
    windows.add(this);
    app.emit('browser-window-created', {}, this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    const loading = this.webContents.load(url);
    try {
      await loading;
    } finally {
      if (!this.#loaded && !this.#destroyed) {
        this.#loaded = true;
        this.emit('ready-to-show');
      }
    }
  }

  show(): void {
    this.#visible = true;
    this.#focused = true;
    this.emit('show');
  }

  hide(): void {
    this.#visible = false;
    this.#focused = false;
    this.emit('hide');
  }

  focus(): void {
    this.#focused = this.#visible;
    record('window.focus');
  }

  isFocused(): boolean {
    return this.#focused;
  }

  isVisible(): boolean {
    return this.#visible;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  isMaximized(): boolean {
    return this.#maximized;
  }

  isMinimized(): boolean {
    return this.#minimized;
  }

  isFullScreen(): boolean {
    return false;
  }

  maximize(): void {
    this.#maximized = true;
    this.emit('maximize');
  }

  unmaximize(): void {
    this.#maximized = false;
    this.emit('unmaximize');
  }

  minimize(): void {
    this.#minimized = true;
    this.#focused = false;
    this.emit('minimize');
  }

  restore(): void {
    this.#minimized = false;
    this.emit('restore');
  }

  getBounds(): Electron.Rectangle {
    return this.#maximized ? { x: 0, y: 0, ...settings.screen } : this.#bounds;
  }

  getNormalBounds(): Electron.Rectangle {
    return this.#bounds;
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('move');
    this.emit('resize');
  }

  setOverlayIcon(image: Electron.NativeImage | Picture | null, words: string): void {
    record('window.setOverlayIcon', image === null ? null : (image as Picture).path, words);
  }

  close(): void {
    let allowed = true;
    const preventDefault = () => {
      allowed = false;
    };
    this.emit('close', { preventDefault });
    if (allowed) this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    windows.delete(this);
    this.webContents.close();
    this.emit('closed');
    if (windows.size === 0 && !app.emit('window-all-closed')) app.quit();
  }
}

app.windows = () => BrowserWindow.getAllWindows();
owners.all = () => BrowserWindow.getAllWindows().map(({ webContents }) => webContents);

export const screen: Pick<Electron.Screen, 'getAllDisplays'> = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, ...settings.screen } } as Electron.Display],
};
