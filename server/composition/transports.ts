import { z } from 'zod';
import { callbackPath } from '../../shared/api/provider-routes.ts';
import { INTERNAL_BACKEND } from '../../shared/backends.ts';
import { EMPTY_REPORT, type FaxToSend } from '../../shared/fax-transport.ts';
import { FIXED_WORDS } from '../../shared/fixed-words.ts';
import {
  type CloudProvider,
  type ProviderAccount,
  ProviderError,
  type ProviderReport,
} from '../adapters/providers/port.ts';
import type { NumberLookup } from '../features/contacts/service.ts';
import type { InternalDelivery } from '../features/inbound/service.ts';
import type { InternalFax } from '../features/inbound/types.ts';
import {
  type CallbackReader,
  type ChosenPlan,
  type ChosenStep,
  type Transport,
  TransportError,
  type TransportName,
  type TransportReport,
  type Transports,
} from '../features/outbound/port.ts';
import type { PlanSteps } from '../features/routing/port.ts';
import type {
  ProviderTraits,
  RouteChoice,
  RoutesOfFax,
  Routing,
  UsableRoute,
} from '../features/routing/service.ts';

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

/** Values that the step captures. */
const Credentials = z.strictObject({
  /** The number as whose the fax comes in, E.164; null where the settings name none. */
  from: z.string().nullable(),
});

const TRAITS = {
  polls: false,
  callbacks: false,
  printsOurTime: true,
  numbersPages: true,
  printsHeader: false,
  stops: false,
  lines: null,
} as const;

/** The step by which a fax comes in again without a call. */
function ownNumberStep(from: string | null): ChosenStep {
  return {
    transport: { kind: 'own_number', backend: INTERNAL_BACKEND },
    account: { id: INTERNAL_BACKEND, credentials: { from } satisfies z.infer<typeof Credentials> },
    traits: TRAITS,
    reason: 'The number is one of this installation, so the fax comes in again without a call.',
    callbackPath: null,
    route: null,
    linesOf: INTERNAL_BACKEND,
    isNextRoute: false,
  };
}

/**
 * Numbers of the installation itself. The received fax is made in the transaction that records the sent one as delivered, so
 * whatever is killed, both are there or neither; its id is that of the attempt.
 */
function ownNumberTransport(delivery: () => InternalDelivery): Transport {
  return {
    kind: 'own_number',
    backend: INTERNAL_BACKEND,
    callbacks: null,
    async reach() {
      if (delivery().isOn()) return;
      throw new TransportError('receiving is off', {
        certainty: 'not_accepted',
        category: 'provider_unavailable',
        publicMessage: 'Receiving is off, so a fax to our own number cannot come in here.',
      });
    },
    async begin(credentials, request) {
      const fax = internalFax(credentials, request);
      const stored = await delivery()
        .store(fax)
        .catch((error: unknown) => {
          throw notStored(error);
        });
      return {
        reference: fax.id,
        report: delivered(fax.id, fax),
        take: (tx) => delivery().file(tx, stored, fax),
      };
    },
    async resume(_credentials, reference) {
      if (await delivery().isFiled(reference)) return delivered(reference, null);
      throw new TransportError('no such received fax', {
        certainty: 'not_accepted',
        category: 'refused',
        publicMessage: 'No received fax has this ID.',
      });
    },
    // None is ever lost: see the transaction above.
    find: null,
    stop: () => Promise.resolve(null),
    forget: () => Promise.resolve(),
  };
}

function internalFax(
  credentials: unknown,
  { attemptId, jobId, to, pages, document }: FaxToSend,
): InternalFax {
  const { path, sizeBytes, sha256 } = document;
  const { from } = Credentials.parse(credentials);
  return { id: attemptId, sentFaxId: jobId, from, to, document: { path, sizeBytes, sha256, pages } };
}

function notStored(cause: unknown): TransportError {
  return new TransportError('the document could not be stored for the received fax', {
    certainty: 'try_later',
    category: 'artifact_unavailable',
    publicMessage: 'It could not be stored in the inbox, because the disk of Faxdesk reported an error.',
    cause,
  });
}

function delivered(reference: string, fax: Pick<InternalFax, 'to' | 'document'> | null): TransportReport {
  return {
    reference,
    outcome: 'success',
    rawStatus: 'delivered',
    ...EMPTY_REPORT,
    pages: fax?.document.pages ?? null,
    to: fax?.to ?? null,
  };
}

/** Plans a fax for a quote, as the room of costs requests it. */
export function planForQuote(
  transports: Transports,
  contacts: Pick<NumberLookup, 'preferencesFor'>,
): PlanSteps {
  return async (fax) => {
    const { preferredRoute } = await contacts.preferencesFor(fax.to);
    const planned = await transports.plan({ ...fax, preferredRoute });
    if ('refusal' in planned) return planned;
    return {
      ways: planned.steps.map(({ transport, route, reason }) => ({
        ...transport,
        backend: transport.kind === 'own_number' ? planned.backend : transport.backend,
        route: route && { id: route.id, name: route.name },
        reason,
      })),
    };
  };
}
