import type { CloudProvider, ProviderAccount } from '../../adapters/providers/port.ts';

/** A cloud provider of this release with the account that the present settings give it. */
export interface ConfiguredProvider {
  readonly provider: CloudProvider;
  /** The vendor's name, shown to people. */
  readonly displayName: string;
  readonly traits: ProviderTraits;
  /** How many faxes an account sends at once; null for no limit. */
  linesOf(account: ProviderAccount): number | null;
  /** What faxes of accounts are counted by that share their lines. */
  lineNameOf(account: ProviderAccount): string;
  /** The account, or the sentence that says what is missing. */
  account(): ProviderAccount | string;
  /** The account that these settings of the provider give, those left out at their defaults; or what is wrong with them. */
  accountFrom(values: Readonly<Record<string, unknown>>): ProviderAccount | string;
  /** The addresses of the settings that a route with an account of its own follows, as they are now; null where none is set. */
  addresses(): Readonly<Record<string, string | null>>;
  /** Since when it does not answer, in epoch milliseconds; null while it does, or when nobody asked it lately. */
  unreachableSince(): number | null;
}

export interface ProviderTraits {
  /** By what its faxes leave. */
  readonly transport: 'provider' | 'line';
  readonly polls: boolean;
  /** Whether it calls back. An unsigned callback proves nothing, but is a reason to ask at once. */
  readonly callbacks: boolean;
  /** Whether it prints the time of the header line in the zone that it is given. */
  readonly printsOurTime: boolean;
  /** Whether it numbers the pages in the header line as it is asked to. */
  readonly numbersPages: boolean;
  /** What it accepted can be stopped before it is delivered. */
  readonly stops: boolean;
}
