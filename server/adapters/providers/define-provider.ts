import type { z } from 'zod';
import { callbackRoute, notificationRoute, type RouteWords } from '../../../shared/api/provider-routes.ts';
import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { ReceivingProvider } from '../../features/inbound/receiving-port.ts';
import {
  type CallbackReader,
  type FoundFax,
  type SentSearch,
  TransportError,
  type TransportTraits,
} from '../../features/outbound/transport-port.ts';
import type { AnyValue, SettingDefinitions, ValuesOf } from '../../platform/setting-kinds.ts';
import type {
  AddressCredentials,
  NotificationProblem,
  Provider,
  ProviderAccount,
  ProviderTools,
  Sender,
} from './provider-port.ts';
import { nameVendor, nameVendorInErrors, nameVendorInReport } from './vendor-name.ts';

/** Definition that the folder of a provider supplies; see {@link Provider}. */
interface ProviderParts<S extends SettingDefinitions, A extends ProviderAccount, C>
  extends Pick<Provider, 'backend' | 'displayName' | 'help'>,
    Pick<TransportTraits, 'printsOurTime' | 'numbersPages'> {
  readonly settings: S;
  readonly formerSettings?: readonly string[];
  readonly formerPaths?: Readonly<Record<string, string>>;
  readonly essentials: readonly (keyof S & string)[];
  /** None when left out. */
  readonly optional?: readonly (keyof S & string)[];
  readonly addresses: { readonly [N in keyof S & string]?: (value: string) => string | null };
  /** Reads an account back from the JSON that a fax captured. */
  readonly account: z.ZodType<A>;
  accountOf(values: ValuesOf<S>): A | string;
  /** Settings beside the addresses that say where the vendor is reached. */
  readonly locationSettings?: readonly (keyof S & string)[];
  /**
   * Returns the reason why an account entered for one route over the settings cannot be used beside theirs; null when
   * it can. When left out, the account of a route is complete by itself.
   */
  coexistenceProblem?(own: A, shared: A | string): string | null;
  /** A cloud provider when left out. */
  readonly transport?: 'line';
  /** No limit when left out. */
  linesOf?(account: A): number;
  /** Its account when left out. */
  lineNameOf?(account: A): string;
  notificationProblem?(values: ValuesOf<S>): NotificationProblem | null;
  addressCredentials?(values: ValuesOf<S>): AddressCredentials | null;
  readonly routes: {
    /** Callbacks without a reader prove nothing: they are a reason to ask the provider at once. */
    readonly callback: (RouteWords & { readonly reader: CallbackReader<A> | null }) | null;
    readonly notification: RouteWords | null;
  };
  /** Creates what sending and receiving share while the gateway runs. */
  connect(tools: ProviderTools): C;
  send(connection: C): Sender<A>;
  readonly receive: ((connection: C) => ReceivingProvider<A>) | null;
  close?(connection: C): void;
}

/** Makes a provider of its parts: from here on its accounts are opaque to everybody else. */
export function defineProvider<S extends SettingDefinitions, A extends ProviderAccount, C>(
  parts: ProviderParts<S, A, C>,
): Provider {
  const { backend, displayName, help, settings, essentials } = parts;
  const { callback, notification } = parts.routes;
  const { reader = null, ...callbackWords } = callback ?? {};
  const signed = reader !== null;
  const read = accountReader(parts);
  const vendor = displayName;
  const valuesOf = (values: Readonly<Record<string, AnyValue>>) => values as ValuesOf<S>;
  return {
    backend,
    displayName,
    help,
    settings: nameVendorInHelp(settings, vendor),
    formerSettings: parts.formerSettings ?? [],
    formerPaths: parts.formerPaths ?? {},
    essentials,
    optional: parts.optional ?? [],
    headerOwnForm: [
      ...(parts.printsOurTime ? [] : (['time'] as const)),
      ...(parts.numbersPages ? [] : (['page_number'] as const)),
    ],
    addresses: parts.addresses as Provider['addresses'],
    followedByRoutes: parts.coexistenceProblem ? [] : followedByRoutes(parts),
    accountOf(values) {
      const account = parts.accountOf(valuesOf(values));
      return typeof account === 'string' ? nameVendor(account, vendor) : account;
    },
    routeAccountOf(entered, shared) {
      const account = parts.accountOf(valuesOf({ ...mergeRouteValues(parts, entered, shared), ...entered }));
      if (typeof account === 'string') return nameVendor(account, vendor);
      return parts.coexistenceProblem?.(account, parts.accountOf(valuesOf(shared))) ?? account;
    },
    linesOf: (account) => parts.linesOf?.(read(account)) ?? null,
    lineNameOf: (account) => parts.lineNameOf?.(read(account)) ?? account.accountId,
    notificationProblem(values) {
      // Without an account nothing is received, and another problem stands first.
      if (typeof parts.accountOf(valuesOf(values)) === 'string') return null;
      return parts.notificationProblem?.(valuesOf(values)) ?? null;
    },
    addressCredentials: (values) => parts.addressCredentials?.(valuesOf(values)) ?? null,
    routes: {
      callback: callback && {
        route: callbackRoute(backend, callbackWords as RouteWords),
        signed,
      },
      notification: notification && notificationRoute(backend, notification),
    },
    connect(tools) {
      const connection = parts.connect(tools);
      const { checkAccount, ...sending } = opaqueSender(parts.send(connection), { read, vendor });
      return {
        transport: {
          kind: parts.transport ?? 'provider',
          backend,
          traits: {
            polls: true,
            callbacks: callback !== null,
            printsOurTime: parts.printsOurTime,
            numbersPages: parts.numbersPages,
            printsHeader: true,
            stops: sending.stop !== undefined,
          },
          ...sending,
          callbacks: reader && opaqueReader(reader, { read, vendor }),
        },
        checkAccount,
        receive: parts.receive && opaqueReceiver(parts.receive(connection), { read, vendor }),
        close: () => parts.close?.(connection),
      };
    },
  };
}

/** The settings; their helps name the vendor. */
function nameVendorInHelp(settings: SettingDefinitions, vendor: string): SettingDefinitions {
  const named = Object.entries(settings).map(
    ([name, setting]) => [name, { ...setting, help: nameVendor(setting.help, vendor) }] as const,
  );
  return Object.fromEntries(named);
}

/** Reads captured accounts; throws TransportError for one that this release cannot read. */
function accountReader<A>({ backend, account }: { backend: string; account: z.ZodType<A> }) {
  return (captured: unknown): A => {
    const read = account.safeParse(captured);
    if (read.success) return read.data;
    throw new TransportError(`${backend}: the captured account cannot be read`, {
      certainty: 'not_accepted',
      category: 'refused',
      publicMessage: 'This release cannot use the account that was saved with this fax.',
      cause: read.error,
    });
  };
}

/**
 * Properties of a provider that its opaque wrappers need: the reader of its accounts, and the vendor named in its
 * sentences.
 */
interface OpaqueContext<A> {
  readonly read: (captured: unknown) => A;
  readonly vendor: string;
}

function opaqueSender<A>(send: Sender<A>, { read, vendor }: OpaqueContext<A>): Sender<unknown> {
  const callVendor = <T>(operation: () => Promise<T>) => nameVendorInErrors(vendor, operation);
  return {
    reach: (account) => callVendor(async () => send.reach(read(account))),
    submit: (account, fax) => callVendor(async () => send.submit(read(account), fax)),
    fetchReport: (account, reference) =>
      callVendor(async () => nameVendorInReport(await send.fetchReport(read(account), reference), vendor)),
    checkAccount: (account) =>
      callVendor(async () => {
        const { ok, detail } = await send.checkAccount(read(account));
        return { ok, detail: nameVendor(detail, vendor) };
      }),
    ...(send.stop
      ? {
          stop: (account, reference) =>
            callVendor(async () => (await send.stop?.(read(account), reference)) ?? null),
        }
      : {}),
    ...(send.forget
      ? { forget: (account, reference) => callVendor(async () => send.forget?.(read(account), reference)) }
      : {}),
    ...(send.findSent
      ? {
          findSent: (account, search) =>
            callVendor(() => findSent(send, { read, vendor }, { account, search })),
        }
      : {}),
  };
}

async function findSent<A>(
  send: Sender<A>,
  { read, vendor }: OpaqueContext<A>,
  { account, search }: { account: unknown; search: SentSearch },
): Promise<FoundFax[]> {
  const found = (await send.findSent?.(read(account), search)) ?? [];
  return found.map(({ report, ...facts }) => ({ ...facts, report: nameVendorInReport(report, vendor) }));
}

function opaqueReader<A>(reader: CallbackReader<A>, { read, vendor }: OpaqueContext<A>): CallbackReader {
  const withFallback = <T>(unreadable: T, verify: () => T): T => {
    try {
      return verify();
    } catch (error) {
      if (error instanceof TransportError) return unreadable;
      throw error;
    }
  };
  return {
    headProblem: (account, header) =>
      withFallback<ReportProblem | null>('callback_no_token', () =>
        reader.headProblem(read(account), header),
      ),
    verifyCallback: (account, callback) =>
      withFallback(false, () => reader.verifyCallback(read(account), callback)),
    readCallback(form) {
      const reading = reader.readCallback(form);
      return reading.kind === 'report'
        ? { ...reading, report: nameVendorInReport(reading.report, vendor) }
        : reading;
    },
  };
}

function opaqueReceiver<A>(
  receive: ReceivingProvider<A>,
  { read, vendor }: OpaqueContext<A>,
): ReceivingProvider {
  const callVendor = <T>(operation: () => Promise<T>) => nameVendorInErrors(vendor, operation);
  return {
    verifyHead: (account, headers) => receive.verifyHead(read(account), headers),
    verifyNotification: (account, request) => receive.verifyNotification(read(account), request),
    readNotification: (request) => receive.readNotification(request),
    lookUp: (account, providerId) => callVendor(async () => receive.lookUp(read(account), providerId)),
    listReceived: (account, since) => callVendor(async () => receive.listReceived(read(account), since)),
    fetchDocument: (account, providerId, path, limits) =>
      callVendor(async () => receive.fetchDocument(read(account), providerId, path, limits)),
  };
}

function defaultsOf(settings: SettingDefinitions): Record<string, AnyValue> {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default]));
}

type RouteParts = Pick<
  ProviderParts<SettingDefinitions, never, never>,
  'settings' | 'addresses' | 'locationSettings' | 'coexistenceProblem'
>;

function followedByRoutes({
  addresses,
  locationSettings,
}: Pick<RouteParts, 'addresses' | 'locationSettings'>): string[] {
  return [...Object.keys(addresses), ...(locationSettings ?? [])];
}

/**
 * Returns the values for a route, with the settings where nothing was entered for it. Saved secrets are not sent to an
 * address that was not saved with them.
 */
function mergeRouteValues(
  { settings, addresses, locationSettings: otherPlaces, coexistenceProblem }: RouteParts,
  entered: Readonly<Record<string, AnyValue>>,
  shared: Readonly<Record<string, AnyValue>>,
): Record<string, AnyValue> {
  const defaults = defaultsOf(settings);
  if (!coexistenceProblem) {
    const locationSettings = followedByRoutes({ addresses, locationSettings: otherPlaces }).map((name) => [
      name,
      shared[name],
    ]);
    return {
      ...defaults,
      ...Object.fromEntries(locationSettings.filter(([, value]) => value !== undefined)),
    };
  }
  const isElsewhere = Object.keys(addresses).some((name) => (entered[name] ?? shared[name]) !== shared[name]);
  const kept = Object.entries(settings).filter(([, { secret }]) => !(isElsewhere && secret));
  return { ...defaults, ...Object.fromEntries(kept.map(([name]) => [name, shared[name] ?? null])) };
}
