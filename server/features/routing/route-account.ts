import type { Backend } from '../../../shared/backends.ts';
import type { ProviderAccount } from '../../adapters/providers/provider-port.ts';
import { SealError } from '../../platform/errors.ts';
import type { Seal } from '../../platform/seal.ts';
import type { ConfiguredProvider } from './configured-provider.ts';
import type { RouteRow } from './types.ts';

/** Provider settings by name, as entered for one route. */
export type AccountValues = Readonly<Record<string, unknown>>;

/** Part of the providers that routes need. */
export interface RouteProviders {
  /** Returns the provider; null for a name that this release does not have. */
  provider(backend: Backend): ConfiguredProvider | null;
}

interface AccountParts {
  readonly seal: Seal;
  readonly routing: RouteProviders;
}

/** A provider with the account by which a route sends. */
export interface RouteAccount {
  readonly provider: ConfiguredProvider;
  readonly account: ProviderAccount;
}

const contextOf = (routeId: string) => `delivery route:${routeId}`;

/** An account as it is sealed: with the addresses of the settings for which it was entered. */
interface SealedAccount {
  readonly values: AccountValues;
  readonly addresses: Readonly<Record<string, string | null>>;
}

/** Binds the account to its route, so that it opens nowhere else, and to the addresses that the settings have now. */
export function sealAccount(
  { seal, routing }: AccountParts,
  { id, backend }: Pick<RouteRow, 'id' | 'backend'>,
  values: AccountValues,
): string {
  const addresses = routing.provider(backend)?.addresses() ?? {};
  return seal.seal(JSON.stringify({ values, addresses } satisfies SealedAccount), contextOf(id));
}

/** Returns the account by which faxes of a route leave now, or a sentence that says why none can. */
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
    const { values, addresses } = JSON.parse(seal.open(account, contextOf(id))) as SealedAccount;
    return haveAddressesChanged({ values, addresses }, provider.addresses())
      ? `Its account was entered for another address of ${provider.definition.displayName}. Enter it again.`
      : provider.accountFrom(values);
  } catch (error) {
    if (error instanceof SealError) return 'Its account cannot be opened with this data key. Enter it again.';
    throw error;
  }
}

/**
 * Whoever changes an address in the settings must not learn the secrets of routes by it. Back to the provider's own address
 * needs nothing.
 */
function haveAddressesChanged(
  { values, addresses }: SealedAccount,
  now: SealedAccount['addresses'],
): boolean {
  return Object.entries(now).some(
    ([name, address]) =>
      address !== null && !Object.hasOwn(values, name) && address !== (addresses[name] ?? null),
  );
}
