import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type * as Electron from 'electron';
import { record, recorder } from './recorder.ts';

// Notification that the operating system would draw: recorded, and driven by tests.

export class Notification
  extends EventEmitter
  implements Pick<Electron.Notification, 'body' | 'close' | 'show' | 'title'>
{
  static isSupported(): boolean {
    return true;
  }

  title: string;
  body: string;
  isClosed = false;

  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;
  }

  show(): void {
    recorder.notifications.push(this);
    this.emit('show');
  }

  close(): void {
    this.isClosed = true;
    this.emit('close');
  }
}

export class MenuItem implements Pick<Electron.MenuItem, 'checked' | 'enabled' | 'id' | 'label' | 'type'> {
  readonly id: string;
  readonly label: string;
  readonly type: Electron.MenuItem['type'];
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  readonly enabled: boolean;
  readonly submenu: Menu | undefined;
  readonly #options: Electron.MenuItemConstructorOptions;
  checked: boolean;

  constructor(options: Electron.MenuItemConstructorOptions) {
    this.#options = options;
    this.id = options.id ?? '';
    this.label = options.label ?? '';
    this.type = options.type ?? (options.submenu === undefined ? 'normal' : 'submenu');
    this.role = options.role;
    this.accelerator = options.accelerator;
    this.enabled = options.enabled ?? true;
    this.checked = options.checked ?? false;
    if (Array.isArray(options.submenu)) this.submenu = Menu.buildFromTemplate(options.submenu);
  }

  /** Simulates a click: the check mark changes before the handler of the application runs. */
  click(): void {
    if (!this.enabled) throw new Error(`the menu item ${this.label} cannot be chosen`);
    if (this.type === 'checkbox') this.checked = !this.checked;
    this.#options.click?.(this as unknown as Electron.MenuItem, undefined, {});
  }
}

export class Menu implements Pick<Electron.Menu, 'popup'> {
  static #application: Menu | null = null;
  readonly items: MenuItem[];

  constructor(items: MenuItem[] = []) {
    this.items = items;
  }

  static buildFromTemplate(template: (Electron.MenuItemConstructorOptions | Electron.MenuItem)[]): Menu {
    return new Menu(template.map((options) => new MenuItem(options as Electron.MenuItemConstructorOptions)));
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }

  getMenuItemById(id: string): MenuItem | null {
    return this.items.find((item) => item.id === id) ?? null;
  }

  popup(): void {
    record('menu.popup');
  }
}

export class Tray
  extends EventEmitter
  implements Pick<Electron.Tray, 'destroy' | 'isDestroyed' | 'setImage' | 'setToolTip'>
{
  image: Electron.NativeImage | Picture | string;
  toolTip = '';
  menu: Menu | null = null;
  #destroyed = false;

  constructor(image: Electron.NativeImage | Picture | string) {
    super();
    this.image = image;
    recorder.trays.push(this);
  }

  setImage(image: Electron.NativeImage | Picture | string): void {
    this.image = image;
  }

  setToolTip(words: string): void {
    this.toolTip = words;
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu;
  }

  destroy(): void {
    this.#destroyed = true;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }
}

export class Picture implements Pick<Electron.NativeImage, 'isEmpty' | 'setTemplateImage'> {
  readonly path: string;
  template = false;

  constructor(path: string) {
    this.path = path;
  }

  isEmpty(): boolean {
    return this.path === '' || !existsSync(this.path);
  }

  setTemplateImage(template: boolean): void {
    this.template = template;
  }
}

export const nativeImage = {
  createEmpty: () => new Picture(''),
  createFromPath: (...[path]: Parameters<typeof Electron.nativeImage.createFromPath>) => new Picture(path),
};

export const shell: Pick<Electron.Shell, 'openExternal' | 'openPath' | 'showItemInFolder'> = {
  openExternal: async (url) => record('shell.openExternal', url),
  openPath: async (path) => {
    record('shell.openPath', path);
    return '';
  },
  showItemInFolder: (path) => record('shell.showItemInFolder', path),
};

type Asking<Options> = [options: Options] | [window: object, options: Options];

export const dialog = {
  showErrorBox: (title: string, content: string) => record('dialog.showErrorBox', title, content),
  showMessageBox: async (...args: Asking<Electron.MessageBoxOptions>) => {
    recorder.messageBoxes.push(args.at(-1) as Electron.MessageBoxOptions);
    return { response: 0, checkboxChecked: false };
  },
  showMessageBoxSync: (...args: Asking<Electron.MessageBoxSyncOptions>) => {
    recorder.messageBoxes.push(args.at(-1) as Electron.MessageBoxOptions);
    return 0;
  },
  showSaveDialog: async (..._args: Asking<Electron.SaveDialogOptions>) => {
    const filePath = recorder.saveDialogs.shift();
    return filePath === undefined ? { canceled: true, filePath: '' } : { canceled: false, filePath };
  },
  showOpenDialog: async (..._args: Asking<Electron.OpenDialogOptions>) => {
    const folder = recorder.openDialogs.shift();
    return folder === undefined
      ? { canceled: true, filePaths: [] }
      : { canceled: false, filePaths: [folder] };
  },
} satisfies Pick<
  Electron.Dialog,
  'showErrorBox' | 'showMessageBox' | 'showMessageBoxSync' | 'showOpenDialog' | 'showSaveDialog'
>;

export const net: Pick<Electron.Net, 'fetch'> = { fetch: (input, init) => fetch(input, init) };

export const powerMonitor = new EventEmitter();
export const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false });

const blockers = new Set<number>();
let lastBlocker = 0;
export const powerSaveBlocker: Pick<Electron.PowerSaveBlocker, 'isStarted' | 'start' | 'stop'> = {
  start: (type) => {
    lastBlocker += 1;
    blockers.add(lastBlocker);
    record('powerSaveBlocker.start', type);
    return lastBlocker;
  },
  stop: (id) => {
    record('powerSaveBlocker.stop');
    return blockers.delete(id);
  },
  isStarted: (id) => blockers.has(id),
};
