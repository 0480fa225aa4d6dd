import { app, Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron';
import type { DesktopTray } from '../shared/desktop.ts';
import { quietEnds } from '../shared/quiet-time.ts';
import { trayIcon } from './icons.ts';

interface TrayChoices {
  readonly open: () => void;
  readonly newFaxes: () => void;
  readonly myItems: () => void;
  readonly newFax: () => void;
  readonly toggleSending: () => void;
  readonly showUpdate: () => void;
  /** *Do not disturb* until then; null turns it off. */
  readonly beQuiet: (until: Date | null) => void;
  readonly quit: () => void;
}

export const QUIET_TRAY: DesktopTray = {
  state: 'normal',
  sending: null,
  newFaxes: 0,
  tooltip: 'Faxdesk',
};

/** The icon that stays while the window is closed. Keep a reference: a tray that is collected disappears. */
export function createApplicationTray(choices: TrayChoices): ApplicationTray {
  return new ApplicationTray(choices);
}

export type { ApplicationTray };

class ApplicationTray {
  readonly #tray: Tray;
  readonly #choices: TrayChoices;
  #current: DesktopTray = QUIET_TRAY;
  #newVersion: string | null = null;
  #quietUntil: string | null = null;

  constructor(choices: TrayChoices) {
    this.#choices = choices;
    this.#tray = new Tray(trayIcon(this.#current.state));
    // On macOS a click opens the menu.
    if (process.platform !== 'darwin') this.#tray.on('click', choices.open);
    nativeTheme.on('updated', () => this.show(this.#current));
    this.show(this.#current);
  }

  show(present: DesktopTray): void {
    this.#current = present;
    this.#tray.setImage(trayIcon(present.state));
    this.#tray.setToolTip(present.tooltip);
    this.#tray.setContextMenu(Menu.buildFromTemplate(this.#menu(present)));
  }

  /** Adds a line for a version that is ready to install; null removes it. */
  showNewVersion(version: string | null): void {
    this.#newVersion = version;
    this.show(this.#current);
  }

  /** Shows the end of *Do not disturb*, an ISO time; null while it is off. */
  showQuiet(until: string | null): void {
    this.#quietUntil = until;
    this.show(this.#current);
  }

  #menu(present: DesktopTray): MenuItemConstructorOptions[] {
    const { open, newFaxes, myItems, newFax, showUpdate, quit } = this.#choices;
    return [
      { id: 'open', label: 'Open Faxdesk', click: open },
      { type: 'separator' },
      { id: 'new-faxes', label: withCount('New faxes', present.newFaxes), click: newFaxes },
      ...(present.myItems === undefined
        ? []
        : [{ id: 'my-items', label: itemsLabel(present.myItems, present.dueItems), click: myItems }]),
      { id: 'new-fax', label: 'New fax…', accelerator: 'CommandOrControl+N', click: newFax },
      { type: 'separator' },
      ...this.#line(present),
      this.#quiet(),
      { type: 'separator' },
      ...(this.#newVersion === null
        ? []
        : [{ id: 'update', label: `Faxdesk ${this.#newVersion} is ready…`, click: showUpdate }]),
      { id: 'quit', label: `Quit ${app.getName()}`, click: quit },
    ];
  }

  #quiet(): MenuItemConstructorOptions {
    const { beQuiet } = this.#choices;
    if (this.#quietUntil !== null) {
      const label = `Do not disturb until ${formatTime(this.#quietUntil)}`;
      return { id: 'quiet', label, type: 'checkbox', checked: true, click: () => beQuiet(null) };
    }
    return {
      id: 'quiet',
      label: 'Do not disturb',
      submenu: [
        { id: 'quiet-hour', label: 'For 1 hour', click: () => beQuiet(quietEnds(new Date()).hour) },
        {
          id: 'quiet-morning',
          label: `Until tomorrow at ${formatTime(quietEnds(new Date()).morning.toISOString())}`,
          click: () => beQuiet(quietEnds(new Date()).morning),
        },
      ],
    };
  }

  /** The state of the line: whether it sends, which can be changed here, and how receiving goes. */
  #line({ sending, receiving }: DesktopTray): MenuItemConstructorOptions[] {
    const toggle = () => {
      this.#choices.toggleSending();
      // The system has drawn the other mark already; it holds only once the gateway confirms it.
      this.show(this.#current);
    };
    const unknown = sending === null;
    return [
      {
        id: 'sending',
        label: sending === false ? 'Sending off' : 'Sending on',
        type: 'checkbox',
        checked: sending === true,
        enabled: !unknown,
        click: toggle,
      },
      ...(receiving ? [{ id: 'receiving', label: receiving, enabled: false }] : []),
    ];
  }
}

const formatTime = (iso: string) =>
  new Date(iso).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' });

function withCount(label: string, count: number): string {
  return count === 0 ? label : `${label}: ${count}`;
}

function itemsLabel(items: number, due = 0): string {
  return due === 0 ? withCount('My items', items) : `${withCount('My items', items)}, ${due} due`;
}
