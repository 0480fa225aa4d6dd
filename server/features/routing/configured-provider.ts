import type { CloudProvider, ProviderAccount } from '../../adapters/providers/port.ts';

/** A cloud provider of this release with the account that the present settings give it. */
export interface ConfiguredProvider {
  readonly provider: CloudProvider;
  /** The vendor's name, shown to people. */
  readonly displayName: string;
  readonly traits: ProviderTraits;
  /** Returns the number of faxes that an account sends at once; null for no limit. */
  linesOf(account: ProviderAccount): number | null;
  /** Returns the name under which the faxes of accounts that share their lines are counted. */
  lineNameOf(account: ProviderAccount): string;
  /** Returns the account, or a sentence that says what is missing. */
  account(): ProviderAccount | string;
  /** The account that these settings of the provider give, those left out at their defaults; or what is wrong with them. */
  accountFrom(values: Readonly<Record<string, unknown>>): ProviderAccount | string;
  /** The addresses of the settings that a route with an account of its own follows, as they are now; null where none is set. */
  addresses(): Readonly<Record<string, string | null>>;
  /**
   * Returns the time since when it does not respond, in epoch milliseconds; null while it does, or without recent
   * requests.
   */
  unreachableSince(): number | null;
}

export interface ProviderTraits {
  /** Kind of transport by which its faxes leave. */
  readonly transport: 'provider' | 'line';
  readonly polls: boolean;
  /** True when it calls back. An unsigned callback proves nothing, but is a reason to poll at once. */
  readonly callbacks: boolean;
  /** True when it prints the time of the header line in the given zone. */
  readonly printsOurTime: boolean;
  /** True when it numbers the pages in the header line as requested. */
  readonly numbersPages: boolean;
  /** True when it can stop a fax that it accepted, before delivery. */
  readonly stops: boolean;
}
