import { shell } from 'electron';
import { z } from 'zod';
import {
  type DesktopCommand,
  DesktopGatewayChoice,
  DesktopNotice,
  DesktopPreferenceChanges,
  DesktopTray,
} from '../shared/desktop.ts';
import { PAGE_TOKEN } from '../shared/page-token.ts';
import { chooseFolder } from './allowed-folders.ts';
import { setStartAtLogin } from './autostart.ts';
import type { ConsoleCalls, LocalCalls } from './channels.ts';
import { signInFirstOwner } from './first-owner.ts';
import type { OwnGateway } from './gateway.ts';
import type { Answers } from './ipc.ts';
import { notify } from './notifications.ts';
import { findGateway } from './other-gateway.ts';
import type { Preferences } from './preferences.ts';
import type { WaitingFiles } from './send-files.ts';
import type { WaitingCommands } from './waiting-commands.ts';
import type { MainWindow } from './window.ts';
import type { WindowContent } from './window-content.ts';

export interface ApplicationParts {
  readonly gateway: OwnGateway;
  readonly content: WindowContent;
  readonly window: MainWindow;
  readonly preferences: Preferences;
  readonly files: WaitingFiles;
  readonly commands: WaitingCommands;
  readonly dataFolder: string;
  showTray(tray: DesktopTray): void;
  /** Opens the window and gives the page the command. */
  command(command: DesktopCommand): void;
  saveDiagnostics(): Promise<boolean>;
}

const nothing = z.tuple([]);

/** Returns the handlers for calls from pages of a gateway. */
export function consoleAnswers(parts: ApplicationParts): Answers<ConsoleCalls> {
  const { gateway, content, window, preferences, files, commands } = parts;
  const onlyHere = () => {
    if (!content.isOwn) throw new Error('This window shows Faxdesk on another computer.');
  };
  return {
    takeFiles: { args: nothing, answer: () => files.take() },
    takeCommands: { args: nothing, answer: () => commands.take() },
    gatewayState: { args: nothing, answer: () => content.gatewayState },
    isInFront: { args: nothing, answer: () => window.isInFront },
    showNotice: {
      args: z.tuple([DesktopNotice]),
      answer: ({ title, body, open }) => notify({ title, body }, () => parts.command({ open })),
    },
    setTray: { args: z.tuple([DesktopTray]), answer: (tray) => parts.showTray(tray) },
    signInFirstOwner: {
      args: z.tuple([z.string().regex(PAGE_TOKEN)]),
      answer: (pageToken) =>
        content.isOwn && window.session ? signInFirstOwner(gateway, window.session, pageToken) : false,
    },
    preferences: { args: nothing, answer: () => preferences.present },
    setPreferences: {
      args: z.tuple([DesktopPreferenceChanges]),
      answer: async (changes) => {
        if (changes.startAtLogin !== undefined) await setStartAtLogin(changes.startAtLogin);
        return preferences.change(changes);
      },
    },
    // Answered before the page is left.
    chooseGateway: { args: nothing, answer: () => void setImmediate(() => void content.choose()) },
    restartGateway: {
      args: nothing,
      answer: () => {
        onlyHere();
        return gateway.restart();
      },
    },
    openDataFolder: {
      args: nothing,
      answer: async () => {
        onlyHere();
        await shell.openPath(parts.dataFolder);
      },
    },
    chooseFolder: {
      args: nothing,
      answer: () => {
        onlyHere();
        return chooseFolder(parts.dataFolder, window.browserWindow);
      },
    },
    saveDiagnostics: { args: nothing, answer: () => parts.saveDiagnostics() },
  };
}

/** Returns the handlers for calls from the application's own page. */
export function localAnswers(parts: ApplicationParts): Answers<LocalCalls> {
  const { content } = parts;
  return {
    status: { args: nothing, answer: () => content.status },
    tryAgain: { args: nothing, answer: () => content.tryAgain() },
    saveDiagnostics: { args: nothing, answer: () => parts.saveDiagnostics() },
    openChoice: { args: nothing, answer: () => content.choose() },
    findGateway: { args: z.tuple([z.string().max(300)]), answer: (address) => findGateway(address) },
    useGateway: { args: z.tuple([DesktopGatewayChoice]), answer: (choice) => content.use(choice) },
    goBack: { args: nothing, answer: () => content.goBack() },
  };
}
