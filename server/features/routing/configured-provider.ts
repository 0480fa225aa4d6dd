import type { AccountProblem } from '../../../shared/states/outbound.ts';
import type { Provider, ProviderAccount } from '../../adapters/providers/provider-port.ts';

/** A cloud provider of this release with the account that the present settings give it. */
export interface ConfiguredProvider {
  /** Its name for people, the lines of its accounts, and the routes by which it calls back. */
  readonly definition: Pick<Provider, 'displayName' | 'linesOf' | 'lineNameOf' | 'routes'>;
  /** Returns the account, or a sentence that says what is missing. */
  account(): ProviderAccount | string;
  /** The account that these settings of the provider give, those left out at their defaults; or what is wrong with them. */
  accountFrom(values: Readonly<Record<string, unknown>>): ProviderAccount | string;
  /** The addresses of the settings that a route with an account of its own follows, as they are now; null where none is set. */
  addresses(): Readonly<Record<string, string | null>>;
  /** Returns the time since when it does not respond, in epoch milliseconds; null while it does. */
  unreachableSince(): number | null;
  /** Returns the reason why it last refused the account; null when it did not. */
  accountProblem(): AccountProblem | null;
  /** Tries it again when it did not respond or refused the credentials, at most once a minute. */
  probe(): Promise<void>;
}
