import { callbackPath } from '../shared/api/provider-routes.ts';
import { FIXED_WORDS } from '../shared/fixed-words.ts';
import { INTERNAL_BACKEND } from '../shared/states.ts';
import {
  type CloudProvider,
  type ProviderAccount,
  ProviderError,
  type ProviderReport,
} from './adapters/providers/port.ts';
import type { InternalDelivery } from './features/inbound/service.ts';
import {
  type CallbackReader,
  type ChosenPlan,
  type ChosenStep,
  type Transport,
  TransportError,
  type TransportName,
  type TransportReport,
  type Transports,
} from './features/outbound/port.ts';
import type {
  ProviderTraits,
  RouteChoice,
  RoutesOfFax,
  Routing,
  UsableRoute,
} from './features/routing/service.ts';
import { ownNumberStep, ownNumberTransport } from './own-number.ts';

/**
 * Presents the cloud providers, and the numbers of the installation itself, as transports to the room of outgoing
 * faxes. `received` is called when needed.
 */
export function createTransports(
  { routing, choice }: { readonly routing: Routing; readonly choice: RouteChoice },
  received: () => InternalDelivery,
): Transports {
  const ownNumber = ownNumberTransport(received);
  return {
    async plan({ to, byCall, preferredRoute }) {
      const backend = routing.chosen();
      // Before a provider is chosen nothing is sent, whatever routes and own numbers there are.
      if (backend === null) return { refusal: FIXED_WORDS.noProvider };
      // While receiving is off, something else answers the own numbers.
      const isReceiving = received().isOn();
      const own = routing.ownNumber();
      const mayBeRuled = isReceiving && !byCall && own !== to;
      // Side by side, so that accepting a fax waits no longer.
      const [found, isRuled] = await Promise.all([
        choice.routesOf({ to, preferred: preferredRoute }),
        mayBeRuled ? received().takes(to) : false,
      ]);
      const called = byRoutes(found) ?? byProvider(routing);
      if (!isReceiving) return called;
      if (byCall || !(own === to || found.isOwnNumber || isRuled))
        return 'refusal' in called && own !== null ? onlyOwnNumber(called.refusal) : called;
      const reason = 'Only if receiving is off by the time the fax is sent.';
      const steps =
        'refusal' in called
          ? []
          : called.steps.map((step) => ({ ...step, reason: step.route ? step.reason : reason }));
      return { steps: [ownNumberStep(own), ...steps], backend: steps[0]?.transport.backend ?? backend };
    },
    nameOf: (backend) =>
      backend === INTERNAL_BACKEND ? 'Faxdesk' : (routing.names()[backend] ?? 'The provider'),
    of({ kind, backend }) {
      if (kind === 'own_number') return ownNumber;
      const provider = kind === 'provider' || kind === 'line' ? routing.cloud(backend) : null;
      if (!provider) throw new Error(`no transport ${kind} ${backend}`);
      return providerTransport(provider, { kind, backend });
    },
  };
}

/** Refuses with the reason why nothing can be called, and adds that our own number can still be reached. */
const onlyOwnNumber = (why: string) => ({
  refusal: `${why} Until then, faxes can be sent only to our own number, without a call.`,
});

/** The steps of the routes that take the number; null where none does. */
function byRoutes(found: RoutesOfFax): ChosenPlan | null {
  if ('refusal' in found) return { refusal: found.refusal };
  const [first] = found.routes;
  if (!first) return null;
  return {
    steps: found.routes.map((route, place) => routeStep(route, place > 0)),
    backend: first.account.backend,
  };
}

function routeStep(chosen: UsableRoute, isNextRoute: boolean): ChosenStep {
  const { id, name, reason, provider, account, lines, ownNumber, headerName } = chosen;
  const ofAccount = provider.linesOf(account);
  const step = stepOf({ account, traits: provider.traits, lines: fewer(lines, ofAccount) });
  // The lines of a trunk are shared by all that goes over it; elsewhere those of a route are its own.
  const linesOf = lines === null || ofAccount !== null ? provider.lineNameOf(account) : `route:${id}`;
  return { ...step, reason, route: { id, name, ownNumber, headerName }, linesOf, isNextRoute };
}

const fewer = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

function byProvider(routing: Routing): ChosenPlan {
  const active = routing.active();
  if ('refusal' in active) return active;
  const { traits, account } = active.route;
  const sender = traits.transport === 'line' ? 'The phone line' : routing.names()[account.backend];
  const reason = `${sender} sends the faxes of this installation.`;
  return {
    steps: [
      { ...stepOf(active.route), reason, route: null, linesOf: active.route.lineName, isNextRoute: false },
    ],
    backend: account.backend,
  };
}

function stepOf({
  account,
  traits,
  lines,
}: {
  readonly account: ProviderAccount;
  readonly traits: ProviderTraits;
  readonly lines: number | null;
}): Pick<ChosenStep, 'transport' | 'account' | 'traits' | 'callbackPath'> {
  const { backend } = account;
  const { transport, ...expected } = traits;
  return {
    transport: { kind: transport, backend },
    account: { id: account.accountId, credentials: account },
    traits: { ...expected, printsHeader: true, lines },
    callbackPath: traits.callbacks ? callbackPath(backend) : null,
  };
}

function providerTransport(provider: CloudProvider, name: TransportName): Transport {
  return {
    ...name,
    reach: (credentials) => asTransport(provider.reach(credentials)),
    async begin(credentials, request) {
      const { providerId } = await asTransport(provider.submit(credentials, request));
      return { reference: providerId };
    },
    async resume(credentials, reference) {
      return reportOf(await asTransport(provider.fetchReport(credentials, reference)));
    },
    find: finderOf(provider),
    async stop(credentials, reference) {
      const report = await asTransport(provider.stop?.(credentials, reference) ?? Promise.resolve(null));
      return report && reportOf(report);
    },
    forget: async (credentials, reference) =>
      asTransport(provider.forget?.(credentials, reference) ?? Promise.resolve()),
    callbacks: readerOf(provider),
  };
}

function finderOf(provider: CloudProvider): Transport['find'] {
  if (!provider.findSent) return null;
  return async (credentials, search) => {
    const found = await asTransport(provider.findSent?.(credentials, search) ?? Promise.resolve([]));
    return found.map(({ report, ...facts }) => ({ ...facts, report: reportOf(report) }));
  };
}

function readerOf({ callbacks }: CloudProvider): CallbackReader | null {
  if (!callbacks) return null;
  return {
    headProblem: (credentials, header) => callbacks.headProblem(credentials, header),
    verify: (credentials, callback) => callbacks.verifyCallback(credentials, callback),
    read(form) {
      const reading = callbacks.readCallback(form);
      return reading.kind === 'report' ? { kind: 'report', report: reportOf(reading.report) } : reading;
    },
  };
}

function reportOf({ providerId, ...report }: ProviderReport): TransportReport {
  return { ...report, reference: providerId };
}

async function asTransport<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { certainty, category, publicMessage, retryAfterMs } = error;
    throw new TransportError(error.message, {
      certainty,
      category,
      publicMessage,
      retryAfterMs,
      cause: error,
    });
  }
}
