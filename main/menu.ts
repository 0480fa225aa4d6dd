import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { DesktopCommand } from '../shared/desktop.ts';

interface MenuChoices {
  readonly command: (command: DesktopCommand) => void;
  /** Null where the office has chosen it. */
  readonly chooseGateway: (() => void) | null;
  readonly saveDiagnostics: () => void;
  readonly openDataFolder: () => void;
  readonly checkForUpdates: () => void;
}

/** The application's menu: shown on macOS; elsewhere Alt shows it, and its shortcuts always work. */
export function setApplicationMenu(choices: MenuChoices): void {
  const mac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    fileMenu(choices, mac),
    { role: 'editMenu' },
    goMenu(choices),
    viewMenu(),
    ...(mac ? [{ role: 'windowMenu' } as const] : []),
    helpMenu(choices),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function fileMenu({ command }: MenuChoices, mac: boolean): MenuItemConstructorOptions {
  return {
    label: 'File',
    submenu: [
      { label: 'New fax…', accelerator: 'CommandOrControl+N', click: () => command('new-fax') },
      { type: 'separator' },
      { label: 'Lock', accelerator: 'CommandOrControl+Shift+L', click: () => command('lock') },
      { type: 'separator' },
      { role: 'close' },
      ...(mac ? [] : [{ role: 'quit' } as const]),
    ],
  };
}

function goMenu({ command }: MenuChoices): MenuItemConstructorOptions {
  const screens: [string, DesktopCommand][] = [
    ['Send', 'new-fax'],
    ['Inbox', 'open-inbox'],
    ['Work', 'open-work'],
    ['Sent', 'open-sent'],
    ['Contacts', 'open-contacts'],
    ['Settings', 'open-settings'],
  ];
  return { label: 'Go', submenu: screens.map(([label, to]) => ({ label, click: () => command(to) })) };
}

/** No reloading: what is being written would be gone. Developers have the tools of their own build. */
function viewMenu(): MenuItemConstructorOptions {
  return {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
    ],
  };
}

function helpMenu(choices: MenuChoices): MenuItemConstructorOptions {
  return {
    role: 'help',
    label: 'Help',
    submenu: [
      { label: 'Faxdesk help', accelerator: 'F1', click: () => choices.command('open-help') },
      { type: 'separator' },
      ...(choices.chooseGateway === null
        ? []
        : [{ label: 'Use Faxdesk on another computer…', click: choices.chooseGateway }]),
      { label: 'Open data folder', click: choices.openDataFolder },
      { label: 'Save a problem report…', click: choices.saveDiagnostics },
      { type: 'separator' },
      { label: 'Check for updates…', click: choices.checkForUpdates },
    ],
  };
}
