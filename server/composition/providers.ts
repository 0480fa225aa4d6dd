import type { RouteDefinition } from '../../shared/api/route.ts';
import { DIRECT_BACKEND, IMPORT_BACKEND, INTERNAL_BACKEND, TEST_BACKEND } from '../../shared/backends.ts';
import { ACCOUNT_PROBLEMS } from '../../shared/states/outbound.ts';
import { parseSyslogAddress } from '../adapters/audit/create-sinks.ts';
import type { Provider, ProviderAccount, ProviderTools } from '../adapters/providers/provider-port.ts';
import * as registry from '../adapters/providers/registry.ts';
import type { Receiver } from '../features/inbound/port.ts';
import type { NotificationAddress } from '../features/inbound/room.ts';
import type { CallbackAddress } from '../features/outbound/room.ts';
import { type Transport, TransportError } from '../features/outbound/transport-port.ts';
import {
  type ConfiguredProvider,
  createReachability,
  createRouting,
  type Reachability,
  type Routing,
} from '../features/routing/service.ts';
import type { CheckProvider, Settings, ValueChecks } from '../features/settings/service.ts';
import { checkPreset } from '../features/telephony/service.ts';
import { HttpFailure } from '../platform/http-client.ts';
import type { SettingType } from '../platform/setting-kinds.ts';
import { valueOfText } from '../platform/setting-text.ts';

/** The cloud providers of this release, and the phone line. */
export const PROVIDERS: readonly Provider[] = Object.values(registry);

/** The cloud providers at work, each with the account that the settings name. */
export interface Providers {
  readonly routing: Routing;
  /** By backend. */
  readonly transports: Readonly<Record<string, Transport>>;
  readonly checkProvider: CheckProvider;
  /** By backend, whichever of them sends. */
  readonly receivers: Readonly<Record<string, Receiver>>;
  /** Ends what is open to them. */
  close(): void;
}

export function createProviders(
  providers: readonly Provider[],
  settings: () => Settings,
  tools: ProviderTools,
): Providers {
  const values = () => settings().snapshot().values;
  const connected = providers.map((provider) => {
    const account = () => provider.accountOf(values());
    const reachability = createReachability(tools.clock);
    return { provider, account, values, reachability, ...provider.connect(tools) };
  });
  const byBackend = <T>(of: (each: (typeof connected)[number]) => T | null): Record<string, T> =>
    Object.fromEntries(
      connected.flatMap((each) => {
        const made = of(each);
        return made === null ? [] : [[each.provider.backend, made]];
      }),
    );
  return {
    routing: createRouting({
      backend: () => settings().get('FAX_BACKEND'),
      ownNumber: () => settings().get('FAX_NUMBER'),
      providers: byBackend(configured),
    }),
    transports: byBackend(({ transport, reachability }) => tracked(transport, reachability)),
    close() {
      for (const each of connected) each.close();
    },
    receivers: byBackend(({ provider, receive, account }) =>
      receive === null
        ? null
        : {
            backend: provider.backend,
            name: provider.displayName,
            provider: receive,
            notifies: provider.routes.notification !== null,
            addressCredentials: () => provider.addressCredentials(values()),
            isVerifiable: () => provider.notificationProblem(values()) === null,
            account,
          },
    ),
    async checkProvider(backend, tried) {
      const found = connected.find(({ provider }) => provider.backend === backend);
      if (!found) return { ok: false, detail: `This release cannot send through ${backend} yet.` };
      const account = found.provider.accountOf(tried);
      if (typeof account === 'string') return { ok: false, detail: account };
      const checked = await found.checkAccount(account);
      if (checked.ok) found.reachability.recordResponse();
      return checked;
    },
  };
}

function configured({
  provider,
  account,
  values,
  reachability,
  transport,
  checkAccount,
}: {
  readonly provider: Provider;
  readonly reachability: Reachability;
  readonly transport: Transport;
  readonly checkAccount: (account: ProviderAccount) => Promise<{ ok: boolean }>;
  readonly values: () => Parameters<Provider['accountOf']>[0];
} & Pick<ConfiguredProvider, 'account'>): ConfiguredProvider {
  return {
    definition: provider,
    account,
    accountFrom: (entered) => accountFrom(provider, entered, values()),
    addresses: () => addressesOf(provider, values()),
    unreachableSince: () => reachability.unreachableSince(),
    accountProblem: () => reachability.accountProblem(),
    async probe() {
      const present = account();
      if (typeof present === 'string') return;
      await reachability.probe({
        reach: () => tracked(transport, reachability).reach(present),
        check: async () => (await checkAccount(present)).ok,
      });
    },
  };
}

/** The transport; how its calls end is recorded. */
function tracked(transport: Transport, reachability: Reachability): Transport {
  const common = { isLost: isLostOnTheWay, accountProblemOf };
  return {
    ...transport,
    // A connection shows that somebody is there, and nothing of the account.
    reach: (account) =>
      reachability.track(transport.reach(account), { ...common, isLost: isOutOfReach, proves: [] }),
    submit: (account, fax) =>
      reachability.track(transport.submit(account, fax), { ...common, proves: ACCOUNT_PROBLEMS }),
    fetchReport: (account, reference) =>
      reachability.track(transport.fetchReport(account, reference), { ...common, proves: ['refused'] }),
  };
}

/** An answer, even a refusal or a fault, came from somewhere: only silence is the network. */
function isLostOnTheWay(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof HttpFailure && ['connection', 'timeout', 'dropped'].includes(cause.reason);
}

/** Also of a transport that is reached in another way, such as the telephone engine. */
function isOutOfReach(error: unknown): boolean {
  return (
    isLostOnTheWay(error) || (error instanceof TransportError && error.category === 'provider_unavailable')
  );
}

const accountProblemOf = (error: unknown) => (error instanceof TransportError ? error.accountProblem : null);

function addressesOf(
  { addresses, followedByRoutes }: Provider,
  values: Parameters<Provider['accountOf']>[0],
): Record<string, string | null> {
  const names = followedByRoutes.filter((name) => Object.hasOwn(addresses, name));
  return Object.fromEntries(names.map((name) => [name, (values[name] ?? null) as string | null]));
}

/** Returns the account that the values entered for one route give; or a sentence that says what is wrong with them. */
function accountFrom(
  provider: Provider,
  given: Readonly<Record<string, unknown>>,
  values: Parameters<Provider['accountOf']>[0],
): ProviderAccount | string {
  const entered: Parameters<Provider['accountOf']>[0] = {};
  for (const [name, value] of Object.entries(given)) {
    const setting = provider.settings[name];
    if (!setting) return `${name} is no setting of ${provider.displayName}.`;
    if (value === null) continue;
    const read = setting.schema.safeParse(enteredValue(setting, value));
    if (!read.success) return `${setting.label} ${read.error.issues[0]?.message ?? 'is not valid'}.`;
    const problem = typeof read.data === 'string' ? (provider.addresses[name]?.(read.data) ?? null) : null;
    if (problem !== null) return problem;
    Object.assign(entered, { [name]: read.data });
  }
  return provider.routeAccountOf(entered, values);
}

/** Lines of a file or command bear everything as text, and a program may write digits as a number. */
function enteredValue({ type }: { readonly type: SettingType }, value: unknown): unknown {
  if (typeof value === 'string') return valueOfText({ type }, value);
  const isTextual = type === 'text' || type === 'choice' || type === 'secret';
  return isTextual && ['number', 'boolean'].includes(typeof value) ? String(value) : value;
}

/** Rules for settings that hold an address, or the name of something. */
export function addressChecks(providers: readonly Provider[]): ValueChecks {
  const ofProviders = providers.flatMap(({ addresses }) => Object.entries(addresses));
  return {
    ...Object.fromEntries(ofProviders),
    AUDIT_LOG_SYSLOG_ADDRESS: checkSyslogAddress,
    TRUNK_PRESET: checkPreset,
  };
}

/** Lists the addresses at which providers report the outcome of sent faxes. */
export function callbackAddresses(providers: readonly Provider[]): CallbackAddress[] {
  return providers.flatMap(({ backend, routes }) => (routes.callback ? { backend, ...routes.callback } : []));
}

/** Lists the addresses at which providers notify of received faxes. */
export function notificationAddresses(providers: readonly Provider[]): NotificationAddress[] {
  return providers.flatMap(({ backend, routes }) =>
    routes.notification ? { backend, route: routes.notification } : [],
  );
}

/** The routes of the providers, for the description of the interface. */
export function providerRoutes(providers: readonly Provider[]): RouteDefinition[] {
  return [...callbackAddresses(providers), ...notificationAddresses(providers)].map(({ route }) => route);
}

/** Lists the names of providers for the API description, by schema id. */
export function backendNames(providers: readonly Provider[]): Record<string, readonly string[]> {
  const names = providers.map(({ backend }) => backend);
  return {
    Backend: names,
    InboundBackend: [...names, IMPORT_BACKEND, INTERNAL_BACKEND, DIRECT_BACKEND, TEST_BACKEND],
  };
}

function checkSyslogAddress(text: string): string | null {
  try {
    parseSyslogAddress(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
