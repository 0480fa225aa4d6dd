import type {
  DesktopBridge,
  DesktopCommand,
  DesktopGatewayChoice,
  DesktopGatewayState,
  DesktopPaper,
  DesktopPrinter,
  OfficeDecision,
} from '../shared/desktop.ts';

// The one table of everything that passes between the pages of the window and main.

type ConsoleQuery =
  | 'isInFront'
  | 'showNotice'
  | 'setTray'
  | 'signInFirstOwner'
  | 'preferences'
  | 'setPreferences';
type ConsoleCommand =
  | 'chooseGateway'
  | 'restartGateway'
  | 'openDataFolder'
  | 'chooseFolder'
  | 'saveDiagnostics'
  | 'takeFiles';

/** Calls of a page of the gateway to main. */
export interface ConsoleCalls extends Pick<DesktopBridge, ConsoleQuery | ConsoleCommand> {
  takeCommands(): Promise<DesktopCommand[]>;
  decidedByOffice(): Promise<OfficeDecision[]>;
  keepsGateway(): Promise<boolean>;
  hasService(): Promise<boolean>;
  setPerson(person: string | null): Promise<void>;
  beginSignIn(): Promise<void>;
  printers(): Promise<DesktopPrinter[]>;
  addPrinter(uri: string): Promise<string | null>;
  print(paper: DesktopPaper): Promise<boolean>;
  openWindow(): Promise<void>;
  gatewayState(): Promise<DesktopGatewayState>;
}

/** Status that the application's own page shows. */
export type LocalStatus =
  | { readonly kind: 'starting'; readonly again: boolean }
  | { readonly kind: 'failed'; readonly sentence: string; readonly lines: readonly string[] }
  /** An installer is about to be opened; `isBack` for that of the version before. */
  | { readonly kind: 'installing'; readonly version: string; readonly isBack: boolean }
  /** A version that was just installed does not become ready. */
  | {
      readonly kind: 'update-failed';
      readonly version: string;
      readonly before: string;
      /** It still starts. */
      readonly isLate: boolean;
      readonly sentence: string;
      readonly lines: readonly string[];
      readonly wayBack: { readonly isOpen: boolean; readonly sentence: string };
    }
  /** The file of the office cannot be read, so it is not known whether this computer runs a gateway. */
  | { readonly kind: 'office-unknown' }
  | { readonly kind: 'choosing'; readonly present: DesktopGatewayChoice }
  | { readonly kind: 'unreachable'; readonly address: string }
  | { readonly kind: 'changed'; readonly address: string };

/** Numbers each status so that the page draws it once, even when it is delivered twice, and keeps the input. */
export type NumberedStatus = LocalStatus & {
  readonly number: number;
  /** False where the office has chosen the gateway. */
  readonly mayChoose: boolean;
  /** False on a terminal server, where no gateway is started for this account. */
  readonly mayRunHere: boolean;
};

/** A gateway of another computer as it introduced itself, or why it cannot be used. */
export type FoundGateway =
  | {
      readonly found: true;
      readonly address: string;
      /** Null where an authority that this computer trusts confirms the name. */
      readonly fingerprint: string | null;
      /** Six words of the fingerprint, which a person compares; none where an authority confirms the name. */
      readonly words: readonly string[];
      readonly name: string;
      /** Name of that authority; null where there is none. */
      readonly authority: string | null;
    }
  | { readonly found: false; readonly sentence: string };

/** A gateway that announces itself in the local network. Nothing of it is proved until its certificate is confirmed. */
export interface NetworkGateway {
  readonly name: string;
  /** Origins to try, best first. */
  readonly addresses: readonly string[];
  /** Fingerprint of its root; null when it announces none. */
  readonly root: string | null;
}

/** Calls of the application's own page, `app://faxdesk`, to main. */
export interface LocalCalls {
  status(): Promise<NumberedStatus>;
  tryAgain(): Promise<void>;
  saveDiagnostics(): Promise<boolean>;
  openChoice(): Promise<void>;
  findGateway(address: string): Promise<FoundGateway>;
  /** Searches the local network, for about a second. */
  searchNetwork(): Promise<NetworkGateway[]>;
  /** Finds which of the addresses of an announced gateway answers, with the certificate that was announced. */
  findAnnounced(gateway: Omit<NetworkGateway, 'name'>): Promise<FoundGateway>;
  useGateway(choice: DesktopGatewayChoice): Promise<void>;
  /** Leaves the choice as it is. */
  goBack(): Promise<void>;
  /** Installs the version from before an update again. */
  goBackToVersion(): Promise<void>;
  /** Waits for a version that is not ready yet. */
  keepWaiting(): Promise<void>;
}

/** The application's own page has this as `window.faxdeskApplication`. */
export interface LocalBridge extends LocalCalls {
  onStatus(listener: (status: NumberedStatus) => void): void;
}

/** Events that main sends to a page. */
export interface PageEvents {
  'files-waiting': [];
  'commands-waiting': [];
  gateway: [DesktopGatewayState];
  status: [NumberedStatus];
}

export const LOCAL_SCHEME = 'app';
export const LOCAL_ORIGIN = 'app://faxdesk';

/** The two tables have channels of their own, so that a name in both is two messages. */
export type ChannelTable = 'console' | 'local';

export function channelOf(table: ChannelTable, call: string): string {
  return `${table}:${call}`;
}
