import type { CallbackRoute, NotificationRoute } from '../../../shared/api/provider-routes.ts';
import type { HeaderOwnForm } from '../../../shared/header-line.ts';
import type { ReceivingProvider } from '../../features/inbound/receiving-port.ts';
import type { Transport, TransportName } from '../../features/outbound/transport-port.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileToRead } from '../../platform/file-cipher.ts';
import type { AnyValue, SettingDefinitions } from '../../platform/setting-kinds.ts';

/**
 * Account at a provider, as far as rooms see it. The other fields belong to the folder of the provider: rooms store the
 * account sealed as JSON and pass it back unread.
 */
export interface ProviderAccount {
  readonly backend: string;
  /** For evidence and comparison, e.g. the provider's name and 12 hex digits. Holds no secret. */
  readonly accountId: string;
}

/** Reason why notifications cannot be verified with the present settings, for a person who sets the gateway up. */
export interface NotificationProblem {
  readonly title: string;
  readonly sentence: string;
  /** On the button that leads to the settings of the provider. */
  readonly action: string;
}

/** User name and password that stand in the address which a provider notifies. */
export interface AddressCredentials {
  readonly user: string;
  readonly password: string;
}

/** Dependencies of a provider, passed when the gateway starts. */
export interface ProviderTools {
  readonly clock: Clock;
  /** Absolute. */
  readonly dataFolder: string;
  readonly drawFax: DrawFax;
  /** Something happened to a fax that was submitted under this id: a reason to ask about it at once, nothing more. */
  readonly onProviderEvent: (providerId: string) => void;
  /** Returns those of these faxes, by attempt, whose outcome is still pending; null when that cannot be determined. */
  readonly listPending: (attemptIds: readonly string[]) => Promise<ReadonlySet<string> | null>;
}

/** Draws the pages of a PDF as a far machine prints them, into a TIFF-F file in the folder of files on their way. */
export type DrawFax = (
  pdf: FileToRead,
  outputPath: string,
  options: {
    readonly headerLine: { readonly parts: readonly string[]; readonly isNumbered: boolean } | null;
    readonly cleanGreys: boolean;
    readonly resolution: 'fine' | 'standard';
  },
) => Promise<{ readonly pages: number }>;

/** Result of *Check connection*; `detail` is a sentence for a person. */
interface AccountCheck {
  readonly ok: boolean;
  readonly detail: string;
}

/** Sending through a provider, as its folder implements it for its own kind of account. */
export interface Sender<Account>
  extends Omit<Transport<Account>, keyof TransportName | 'traits' | 'callbacks'> {
  checkAccount(account: Account): Promise<AccountCheck>;
}

/** A provider at work: what faxes are sent and received through. */
interface ConnectedProvider {
  readonly transport: Transport;
  checkAccount(account: ProviderAccount): Promise<AccountCheck>;
  /** Null when faxes cannot be received through it. */
  readonly receive: ReceivingProvider | null;
  /** Ends what is open to the vendor. */
  close(): void;
}

/**
 * Complete definition of a cloud provider, the only source for the gateway, its console and its documentation. Made by
 * `defineProvider` in the folder of the provider.
 */
export interface Provider {
  /** In settings, records and addresses, e.g. `cloudone`. */
  readonly backend: string;
  /** The vendor's name, shown to people. */
  readonly displayName: string;
  /** One sentence for who chooses a provider. */
  readonly help: string;
  /** In the order of the settings screen, all of one group. */
  readonly settings: SettingDefinitions;
  /** Names of settings that earlier releases had: they are ignored. */
  readonly formerSettings: readonly string[];
  /** Paths of its routes by those that earlier releases had: they are answered in the same way. */
  readonly formerPaths: Readonly<Record<string, string>>;
  /** The settings without which no account works; the others fit as they are for nearly everybody. */
  readonly essentials: readonly string[];
  /** The essentials that may stay empty: they only confirm that messages come from the vendor. */
  readonly optional: readonly string[];
  /** Parts of the header line that the vendor prints in a form of its own. */
  readonly headerOwnForm: readonly HeaderOwnForm[];
  /**
   * The settings that hold an address to which credentials are sent, with what is wrong with a value: null when it may be
   * used. Saved secrets are not sent to an address that was not saved.
   */
  readonly addresses: Readonly<Record<string, (value: string) => string | null>>;
  /** The settings that say where the vendor is reached: a route with an account of its own follows them. */
  readonly followedByRoutes: readonly string[];
  /** The account that the settings name, or the sentence that says what is missing. */
  accountOf(values: Readonly<Record<string, AnyValue>>): ProviderAccount | string;
  /**
   * Returns the account of one route from the values entered for it: complete by itself except for the vendor's
   * address, or over the settings where those name what routes share, such as a telephone engine. Returns a sentence
   * instead when something is missing.
   */
  routeAccountOf(
    entered: Readonly<Record<string, AnyValue>>,
    settings: Readonly<Record<string, AnyValue>>,
  ): ProviderAccount | string;
  /** Returns the maximum number of faxes an account sends at once; null where the vendor does not limit it. */
  linesOf(account: ProviderAccount): number | null;
  /** Returns the key by which faxes of accounts that share lines are counted. */
  lineNameOf(account: ProviderAccount): string;
  /** Null when notifications can be verified as the settings stand. */
  notificationProblem(values: Readonly<Record<string, AnyValue>>): NotificationProblem | null;
  /** Returns the credentials that the address entered at the provider must contain; null when there are none. */
  addressCredentials(values: Readonly<Record<string, AnyValue>>): AddressCredentials | null;
  readonly routes: {
    /** Null when the provider never calls back about sent faxes: then only polling finds their outcome. */
    readonly callback: { readonly route: CallbackRoute; readonly signed: boolean } | null;
    /** Null when the provider never notifies of received faxes: then they are only looked for. */
    readonly notification: NotificationRoute | null;
  };
  connect(tools: ProviderTools): ConnectedProvider;
}
