import { z } from 'zod';
import { callbackPath } from '../../shared/api/provider-routes.ts';
import { type Backend, DIRECT_BACKEND, INTERNAL_BACKEND, TEST_BACKEND } from '../../shared/backends.ts';
import { FIXED_WORDS } from '../../shared/fixed-words.ts';
import type { ProviderAccount } from '../adapters/providers/provider-port.ts';
import { createTestTransport } from '../adapters/test-transport/test-transport.ts';
import type { NumberLookup } from '../features/contacts/service.ts';
import type { InternalDelivery } from '../features/inbound/service.ts';
import type { InternalFax } from '../features/inbound/types.ts';
import type {
  ChosenPlan,
  ChosenStep,
  DirectDelivery,
  DirectRecipient,
  Transports,
} from '../features/outbound/port.ts';
import {
  EMPTY_REPORT,
  type FaxToSend,
  type Transport,
  TransportError,
  type TransportReport,
} from '../features/outbound/transport-port.ts';
import type { PlanSteps } from '../features/routing/port.ts';
import type { RouteChoice, RoutesOfFax, Routing, UsableRoute } from '../features/routing/service.ts';
import { mayHandOver, type WorkPermit } from '../jobs/work-permit.ts';
import type { Clock } from '../platform/clock.ts';
import { NO_ABOUT } from '../platform/fax-about.ts';
import type { Providers } from './providers.ts';

/** Transports of the cloud providers and the phone line, by backend. */
type ProviderTransports = Providers['transports'];

/**
 * Chooses among the transports of the providers, the numbers of the installation itself and the installations of partners,
 * for the room of outgoing faxes. `received` and `direct` are called when needed.
 */
export function createTransports(
  {
    routing,
    choice,
    transports,
    clock,
    permit,
  }: {
    readonly routing: Routing;
    readonly choice: RouteChoice;
    readonly transports: ProviderTransports;
    readonly clock: Clock;
    readonly permit: Pick<WorkPermit, 'isHeld'>;
  },
  received: () => InternalDelivery,
  direct: () => DirectDelivery,
): Transports {
  const ownNumber = ownNumberTransport(received);
  const test = createTestTransport(clock);
  return {
    async plan({ to, byCall, preferredRoute, isTest = false }) {
      const backend = routing.chosen();
      // A program can be tested before there is a provider.
      if (backend === null && isTest) return testPlan(test, null);
      // Before a provider is chosen nothing is sent, whatever routes and own numbers there are.
      if (backend === null) return { refusal: FIXED_WORDS.noProvider };
      if (isTest) return testPlan(test, await this.plan({ to, byCall, preferredRoute }));
      // While receiving is off, something else answers the own numbers.
      const isReceiving = received().isOn();
      const own = routing.ownNumber();
      const mayBeRuled = isReceiving && !byCall && own !== to;
      // Side by side, so that accepting a fax waits no longer.
      const [found, isRuled, partner] = await Promise.all([
        choice.routesOf({ to, preferred: preferredRoute }),
        mayBeRuled ? received().takes(to) : false,
        byCall || own === to ? null : direct().recipientOf(to),
      ]);
      const called = byRoutes(transports, found) ?? byProvider(transports, routing);
      const isOwn = isReceiving && !byCall && (own === to || found.isOwnNumber || isRuled);
      if (!isOwn && partner !== null) return directPlan(direct().transport, { partner, called, backend });
      if (!isReceiving) return called;
      if (!isOwn) return 'refusal' in called && own !== null ? onlyOwnNumber(called.refusal) : called;
      const reason = 'Only if receiving is off by the time the fax is sent.';
      const steps =
        'refusal' in called
          ? []
          : called.steps.map((step) => ({ ...step, reason: step.route ? step.reason : reason }));
      return {
        steps: [ownNumberStep(ownNumber, own), ...steps],
        backend: steps[0]?.transport.backend ?? backend,
      };
    },
    nameOf: (backend) =>
      backend === INTERNAL_BACKEND || backend === TEST_BACKEND
        ? 'Faxdesk'
        : backend === DIRECT_BACKEND
          ? 'The partner'
          : (routing.names()[backend] ?? 'The provider'),
    of({ kind, backend }) {
      if (kind === 'own_number') return whilePermitted(ownNumber, permit);
      if (kind === 'test') return whilePermitted(test, permit);
      if (kind === 'direct') return whilePermitted(direct().transport, permit);
      const transport = kind === 'provider' || kind === 'line' ? transports[backend] : undefined;
      if (!transport) throw new Error(`no transport ${kind} ${backend}`);
      return whilePermitted(transport, permit);
    },
  };
}

/**
 * Returns the transport, which hands over nothing when this gateway may have lost the permit for background work since the fax
 * was marked: it was frozen, or the database is away. Another gateway has made a question of it by then.
 */
function whilePermitted(transport: Transport, permit: Pick<WorkPermit, 'isHeld'>): Transport {
  return {
    ...transport,
    async submit(credentials, request) {
      if (mayHandOver(permit)) return transport.submit(credentials, request);
      throw new TransportError('the permit for background work ended', {
        certainty: 'try_later',
        category: 'provider_unavailable',
        publicMessage: 'Faxdesk was interrupted right before the fax was handed over.',
      });
    },
  };
}

/**
 * Returns the plan of a test fax: the test transport in place of the first step that a live fax would take now, whose route
 * and header it keeps, and the same refusal. `planned` is null before a provider is chosen.
 */
function testPlan({ kind, backend, traits }: Transport, planned: ChosenPlan | null): ChosenPlan {
  if (planned !== null && 'refusal' in planned) return planned;
  const first = planned?.steps[0];
  const reason = ['This is a test fax, which is handed to nobody.', first?.reason].filter(Boolean).join(' ');
  const step: ChosenStep = {
    transport: { kind, backend },
    account: { id: TEST_BACKEND, credentials: null },
    traits: { ...traits, lines: null },
    reason,
    route: first?.route ?? null,
    linesOf: TEST_BACKEND,
    isNextRoute: false,
    callbackPath: null,
  };
  return { steps: [step], backend: TEST_BACKEND };
}

/** Returns the plan of a fax to a partner: directly first, then the steps of an ordinary fax. */
function directPlan(
  { kind, backend, traits }: Transport,
  given: { readonly partner: DirectRecipient; readonly called: ChosenPlan; readonly backend: Backend },
): ChosenPlan {
  const { id, organization } = given.partner;
  const step: ChosenStep = {
    transport: { kind, backend },
    account: { id: `${DIRECT_BACKEND}:${id}`, credentials: { partner_id: id } },
    traits: { ...traits, lines: null },
    reason: `${organization} gets the original directly, without a call.`,
    route: null,
    linesOf: DIRECT_BACKEND,
    isNextRoute: false,
    callbackPath: null,
  };
  if ('refusal' in given.called) return { steps: [step], backend: given.backend };
  const reason = 'Only if it cannot be delivered directly.';
  const steps = given.called.steps.map((each) => ({
    ...each,
    reason: each.route ? each.reason : reason,
  }));
  return { steps: [step, ...steps], backend: given.called.backend };
}

/** Refuses with the reason why nothing can be called, and adds that our own number can still be reached. */
const onlyOwnNumber = (why: string) => ({
  refusal: `${why} Until then, faxes can be sent only to our own number, without a call.`,
});

/** The steps of the routes that take the number; null where none does. */
function byRoutes(transports: ProviderTransports, found: RoutesOfFax): ChosenPlan | null {
  if ('refusal' in found) return { refusal: found.refusal };
  const [first] = found.routes;
  if (!first) return null;
  return {
    steps: found.routes.map((route, place) => routeStep(transports, route, place > 0)),
    backend: first.account.backend,
  };
}

function routeStep(
  transports: ProviderTransports,
  { id, name, reason, provider, account, lines, ownNumber, headerName }: UsableRoute,
  isNextRoute: boolean,
): ChosenStep {
  const { definition } = provider;
  const ofAccount = definition.linesOf(account);
  // The lines of a trunk are shared by all that goes over it; elsewhere those of a route are its own.
  const linesOf = lines === null || ofAccount !== null ? definition.lineNameOf(account) : `route:${id}`;
  return {
    ...stepOf(transportOf(transports, account.backend), account, fewer(lines, ofAccount)),
    reason,
    route: { id, name, ownNumber, headerName },
    linesOf,
    isNextRoute,
  };
}

const fewer = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

function byProvider(transports: ProviderTransports, routing: Routing): ChosenPlan {
  const active = routing.active();
  if ('refusal' in active) return active;
  const { account, lines, lineName } = active.route;
  const transport = transportOf(transports, account.backend);
  const sender = transport.kind === 'line' ? 'The phone line' : routing.names()[account.backend];
  const reason = `${sender} sends the faxes of this installation.`;
  return {
    steps: [
      { ...stepOf(transport, account, lines), reason, route: null, linesOf: lineName, isNextRoute: false },
    ],
    backend: account.backend,
  };
}

/** Throws when this release has no such provider. */
function transportOf(transports: ProviderTransports, backend: Backend): Transport {
  const transport = transports[backend];
  if (!transport) throw new Error(`no transport of ${backend}`);
  return transport;
}

function stepOf(
  { kind, backend, traits }: Transport,
  account: ProviderAccount,
  lines: number | null,
): Pick<ChosenStep, 'transport' | 'account' | 'traits' | 'callbackPath'> {
  return {
    transport: { kind, backend },
    account: { id: account.accountId, credentials: account },
    traits: { ...traits, lines },
    callbackPath: traits.callbacks ? callbackPath(backend) : null,
  };
}

/** Values that the step captures. */
const Credentials = z.strictObject({
  /** The number as whose the fax comes in, E.164; null where the settings name none. */
  from: z.string().nullable(),
});

/** The step by which a fax comes in again without a call. */
function ownNumberStep({ kind, backend, traits }: Transport, from: string | null): ChosenStep {
  return {
    transport: { kind, backend },
    account: { id: INTERNAL_BACKEND, credentials: { from } satisfies z.infer<typeof Credentials> },
    traits: { ...traits, lines: null },
    reason: 'The number belongs to this installation, so the fax is delivered here without a call.',
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
    traits: {
      polls: false,
      callbacks: false,
      printsOurTime: true,
      numbersPages: true,
      printsHeader: false,
      stops: false,
    },
    callbacks: null,
    // No fax is ever lost here, so there is no search for one.
    async reach() {
      if (delivery().isOn()) return;
      throw new TransportError('receiving is off', {
        certainty: 'not_accepted',
        category: 'provider_unavailable',
        publicMessage: 'Receiving is off, so a fax to our own number cannot be delivered here.',
      });
    },
    async submit(credentials, request) {
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
    async fetchReport(_credentials, reference) {
      if (await delivery().isFiled(reference)) return delivered(reference, null);
      throw new TransportError('no such received fax', {
        certainty: 'not_accepted',
        category: 'refused',
        publicMessage: 'No received fax has this ID.',
      });
    },
  };
}

function internalFax(
  credentials: unknown,
  { attemptId, jobId, to, pages, document, about = NO_ABOUT }: FaxToSend,
): InternalFax {
  const { path, sizeBytes, sha256 } = document;
  const { from } = Credentials.parse(credentials);
  return { id: attemptId, sentFaxId: jobId, from, to, about, document: { path, sizeBytes, sha256, pages } };
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
        backend: ['own_number', 'direct'].includes(transport.kind) ? planned.backend : transport.backend,
        route: route && { id: route.id, name: route.name },
        reason,
      })),
    };
  };
}
