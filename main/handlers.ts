import { shell } from 'electron';
import { z } from 'zod';
import {
  DesktopGatewayChoice,
  DesktopNotice,
  DesktopPaper,
  DesktopPreferenceChanges,
  DesktopTray,
  FaxPrinterUri,
  OFFICE_DECISIONS,
} from '../shared/desktop.ts';
import { PAGE_TOKEN } from '../shared/page-token.ts';
import { chooseFolder } from './allowed-folders.ts';
import { setStartAtLogin } from './autostart.ts';
import type { ConsoleCalls, LocalCalls } from './channels.ts';
import { signInFirstOwner } from './first-owner.ts';
import type { OwnGateway } from './gateway.ts';
import type { Handlers } from './ipc.ts';
import { searchNetwork, searchWithThisComputer } from './network-search.ts';
import { findAnnounced, findGateway } from './other-gateway.ts';
import type { PersonNotices } from './person-notices.ts';
import type { Preferences } from './preferences.ts';
import { addFaxPrinter, listPrinters, printPage } from './printing.ts';
import type { QuietTime } from './quiet-time.ts';
import type { WaitingFiles } from './send-files.ts';
import type { GatewayPlace } from './terminal-server.ts';
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
  readonly quiet: QuietTime;
  readonly notices: PersonNotices;
  readonly dataFolder: string;
  readonly gatewayPlace: GatewayPlace;
  readonly hasService: boolean;
  showTray(tray: DesktopTray): void;
  saveDiagnostics(): Promise<boolean>;
  goBackToVersion(): Promise<void>;
  keepWaiting(): void;
}

const noArguments = z.tuple([]);
const ANNOUNCED = z.strictObject({
  addresses: z.array(z.string().max(300)).max(8),
  root: z.string().max(100).nullable(),
});

/** Returns the handlers for calls from pages of a gateway. */
export function consoleHandlers(parts: ApplicationParts): Handlers<ConsoleCalls> {
  const { gateway, content, window, preferences, files, commands } = parts;
  const requireOwnGateway = () => {
    if (!content.isOwn) throw new Error('This window shows Faxdesk on another computer.');
  };
  return {
    takeFiles: { args: noArguments, handle: () => files.take() },
    takeCommands: { args: noArguments, handle: () => commands.take() },
    gatewayState: { args: noArguments, handle: () => content.gatewayState },
    isInFront: { args: noArguments, handle: () => window.isInFront },
    showNotice: {
      args: z.tuple([DesktopNotice]),
      handle: (notice) => {
        if (!parts.quiet.holdsBack()) parts.notices.show(notice);
      },
    },
    openWindow: { args: noArguments, handle: () => window.show() },
    setPerson: {
      args: z.tuple([z.string().min(1).max(100).nullable()]),
      handle: (person) => parts.notices.setPerson(person),
    },
    beginSignIn: { args: noArguments, handle: () => files.beginSignIn() },
    setTray: { args: z.tuple([DesktopTray]), handle: (tray) => parts.showTray(tray) },
    signInFirstOwner: {
      args: z.tuple([z.string().regex(PAGE_TOKEN)]),
      handle: (pageToken) =>
        content.isOwn && window.session ? signInFirstOwner(gateway, window.session, pageToken) : false,
    },
    preferences: { args: noArguments, handle: () => preferences.current },
    decidedByOffice: {
      args: noArguments,
      handle: () => OFFICE_DECISIONS.filter((what) => preferences.isDecided(what)),
    },
    keepsGateway: { args: noArguments, handle: () => parts.gatewayPlace === 'kept' && content.isOwn },
    hasService: { args: noArguments, handle: () => parts.hasService },
    setPreferences: {
      args: z.tuple([DesktopPreferenceChanges]),
      handle: async (changes) => {
        if (changes.startAtLogin !== undefined && !preferences.isDecided('startAtLogin'))
          await setStartAtLogin(changes.startAtLogin);
        const changed = await preferences.change(changes);
        if (changes.quietUntil !== undefined) parts.quiet.follow();
        return changed;
      },
    },
    printers: { args: noArguments, handle: () => listPrinters(window.browserWindow) },
    addPrinter: { args: z.tuple([FaxPrinterUri]), handle: (uri) => addFaxPrinter(uri) },
    print: {
      args: z.tuple([DesktopPaper]),
      handle: (paper) => printPage(window.browserWindow, { printer: preferences.current.printer, paper }),
    },
    // Answered before the page is left.
    chooseGateway: { args: noArguments, handle: () => void setImmediate(() => void content.choose()) },
    restartGateway: {
      args: noArguments,
      handle: () => {
        requireOwnGateway();
        return gateway.restart();
      },
    },
    openDataFolder: {
      args: noArguments,
      handle: async () => {
        requireOwnGateway();
        await shell.openPath(parts.dataFolder);
      },
    },
    chooseFolder: {
      args: noArguments,
      handle: () => {
        requireOwnGateway();
        return chooseFolder(parts.dataFolder, window.browserWindow);
      },
    },
    saveDiagnostics: { args: noArguments, handle: () => parts.saveDiagnostics() },
  };
}

/** Returns the handlers for calls from the application's own page. */
export function localHandlers(parts: ApplicationParts): Handlers<LocalCalls> {
  const { content } = parts;
  return {
    status: { args: noArguments, handle: () => content.status },
    tryAgain: { args: noArguments, handle: () => content.tryAgain() },
    saveDiagnostics: { args: noArguments, handle: () => parts.saveDiagnostics() },
    openChoice: { args: noArguments, handle: () => content.choose() },
    findGateway: { args: z.tuple([z.string().max(300)]), handle: (address) => findGateway(address) },
    searchNetwork: {
      args: noArguments,
      handle: () => (content.mayRunHere ? searchNetwork() : searchWithThisComputer()),
    },
    findAnnounced: { args: z.tuple([ANNOUNCED]), handle: (announced) => findAnnounced(announced) },
    useGateway: {
      args: z.tuple([DesktopGatewayChoice]),
      handle: (choice) => {
        // They lead to pages of the former one.
        parts.notices.setPerson(null);
        return content.selectGateway(choice);
      },
    },
    goBack: { args: noArguments, handle: () => content.goBack() },
    goBackToVersion: { args: noArguments, handle: () => parts.goBackToVersion() },
    keepWaiting: {
      args: noArguments,
      handle: () => {
        parts.keepWaiting();
        return content.goBack();
      },
    },
  };
}
