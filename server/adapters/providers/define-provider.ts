import type { z } from 'zod';
import { callbackRoute, notificationRoute, type RouteWords } from '../../../shared/api/provider-routes.ts';
import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { AnyValue, SettingDefinitions, ValuesOf } from '../../platform/setting-kinds.ts';
import {
  type CallbackReader,
  type CloudProvider,
  type ProviderAccount,
  ProviderError,
  type Sender,
} from './port.ts';
import type { AddressCredentials, NotificationProblem, Provider, ProviderTools } from './provider-port.ts';
import type { ReceivingProvider } from './receiving-port.ts';

/** What the folder of a provider says of it; see {@link Provider}. */
export interface ProviderParts<S extends SettingDefinitions, A extends ProviderAccount, C>
  extends Pick<Provider, 'backend' | 'displayName' | 'help' | 'printsOurTime'> {
  readonly settings: S;
  readonly formerSettings?: readonly string[];
  readonly essentials: readonly (keyof S & string)[];
  readonly addresses: { readonly [N in keyof S & string]?: (value: string) => string | null };
  /** Reads an account back from the JSON that a fax captured. */
  readonly account: z.ZodType<A>;
  accountOf(values: ValuesOf<S>): A | string;
  notificationProblem?(values: ValuesOf<S>): NotificationProblem | null;
  addressCredentials?(values: ValuesOf<S>): AddressCredentials | null;
  readonly routes: {
    /** Callbacks without a reader prove nothing: they are a reason to ask the provider at once. */
    readonly callback: (RouteWords & { readonly reader: CallbackReader<A> | null }) | null;
    readonly notification: RouteWords | null;
  };
  /** What sending and receiving share while the gateway runs. */
  connect(tools: ProviderTools): C;
  send(connection: C): Sender<A>;
  readonly receive: ((connection: C) => ReceivingProvider<A>) | null;
}

/** Makes a provider of its parts: from here on its accounts are opaque to everybody else. */
export function defineProvider<S extends SettingDefinitions, A extends ProviderAccount, C>(
  parts: ProviderParts<S, A, C>,
): Provider {
  const { backend, displayName, help, printsOurTime, settings, essentials } = parts;
  const { callback, notification } = parts.routes;
  const { reader = null, ...callbackWords } = callback ?? {};
  const signed = reader !== null;
  const read = accountReader(parts);
  const valuesOf = (values: Readonly<Record<string, AnyValue>>) => values as ValuesOf<S>;
  return {
    backend,
    displayName,
    help,
    printsOurTime,
    settings,
    formerSettings: parts.formerSettings ?? [],
    essentials,
    addresses: parts.addresses as Provider['addresses'],
    accountOf: (values) => parts.accountOf(valuesOf(values)),
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
      return {
        send: {
          ...opaqueSender(parts.send(connection), read),
          callbacks: reader && opaqueReader(reader, read),
        },
        receive: parts.receive && opaqueReceiver(parts.receive(connection), read),
      };
    },
  };
}

/** Reads captured accounts; throws ProviderError for one that this release cannot read. */
function accountReader<A>({ backend, account }: { backend: string; account: z.ZodType<A> }) {
  return (captured: unknown): A => {
    const read = account.safeParse(captured);
    if (read.success) return read.data;
    throw new ProviderError(`${backend}: the captured account cannot be read`, {
      certainty: 'not_accepted',
      category: 'refused',
      publicMessage: 'The account that was captured for this fax cannot be used by this release.',
      cause: read.error,
    });
  };
}

type Read<A> = (captured: unknown) => A;

function opaqueSender<A>(send: Sender<A>, read: Read<A>): Omit<CloudProvider, 'callbacks'> {
  return {
    reach: async (account) => send.reach(read(account)),
    submit: async (account, request) => send.submit(read(account), request),
    fetchReport: async (account, providerId) => send.fetchReport(read(account), providerId),
    checkAccount: async (account) => send.checkAccount(read(account)),
  };
}

function opaqueReader<A>(reader: CallbackReader<A>, read: Read<A>): CallbackReader {
  const unless = <T>(unreadable: T, verify: () => T): T => {
    try {
      return verify();
    } catch (error) {
      if (error instanceof ProviderError) return unreadable;
      throw error;
    }
  };
  return {
    headProblem: (account, header) =>
      unless<ReportProblem | null>('callback_no_token', () => reader.headProblem(read(account), header)),
    verifyCallback: (account, callback) =>
      unless(false, () => reader.verifyCallback(read(account), callback)),
    readCallback: (form) => reader.readCallback(form),
  };
}

function opaqueReceiver<A>(receive: ReceivingProvider<A>, read: Read<A>): ReceivingProvider {
  return {
    verifyHead: (account, headers) => receive.verifyHead(read(account), headers),
    verifyNotification: (account, request) => receive.verifyNotification(read(account), request),
    readNotification: (request) => receive.readNotification(request),
    lookUp: async (account, providerId) => receive.lookUp(read(account), providerId),
    listReceived: async (account, since) => receive.listReceived(read(account), since),
    fetchDocument: async (account, providerId, path, limits) =>
      receive.fetchDocument(read(account), providerId, path, limits),
  };
}
