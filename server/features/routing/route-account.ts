import type { Backend } from '../../../shared/states.ts';
import type { ProviderAccount } from '../../adapters/providers/port.ts';
import { SealError } from '../../platform/errors.ts';
import type { Seal } from '../../platform/seal.ts';
import type { ConfiguredProvider } from './configured-provider.ts';
import type { RouteRow } from './types.ts';

/** The settings of a provider by name, as somebody entered them for one route. */
export type AccountValues = Readonly<Record<string, unknown>>;

/** What of the providers routes need. */
export interface KnownProviders {
  /** Null for a name that this release does not know. */
  provider(backend: Backend): ConfiguredProvider | null;
}

interface AccountParts {
  readonly seal: Seal;
  readonly routing: KnownProviders;
}

/** A provider with the account by which a route sends. */
export interface RouteAccount {
  readonly provider: ConfiguredProvider;
  readonly account: ProviderAccount;
}

const contextOf = (routeId: string) => `delivery route:${routeId}`;

/** Binds the account to its route, so that it opens nowhere else. */
export function sealAccount(seal: Seal, routeId: string, values: AccountValues): string {
  return seal.seal(JSON.stringify(values), contextOf(routeId));
}

/** The account by which faxes of a route leave now, or the sentence that says why none can. */
export function accountOf(
  { seal, routing }: AccountParts,
  { id, backend, account }: Pick<RouteRow, 'id' | 'backend' | 'account'>,
): RouteAccount | string {
  const provider = routing.provider(backend);
  if (provider === null) return `This release cannot send through ${backend}.`;
  const found = account === null ? provider.account() : ownAccount(seal, provider, { id, account });
  return typeof found === 'string' ? found : { provider, account: found };
}

function ownAccount(
  seal: Seal,
  provider: ConfiguredProvider,
  { id, account }: { id: string; account: string },
): ProviderAccount | string {
  try {
    return provider.accountFrom(JSON.parse(seal.open(account, contextOf(id))) as AccountValues);
  } catch (error) {
    if (error instanceof SealError) return 'Its account does not open with this data key. Enter it again.';
    throw error;
  }
}
