import { callbackPath } from '../shared/api/provider-routes.ts';
import type { Backend } from '../shared/states.ts';
import { type CloudProvider, ProviderError, type ProviderReport } from './adapters/providers/port.ts';
import {
  type CallbackReader,
  type Transport,
  TransportError,
  type TransportReport,
  type Transports,
} from './features/outbound/port.ts';
import type { Routing } from './features/routing/service.ts';

/** The room of outgoing faxes sees the cloud providers as transports. */
export function createTransports(routing: Routing): Transports {
  return {
    plan({ to }) {
      const active = routing.active();
      if ('refusal' in active) return active;
      const { account, traits } = active.route;
      const { backend } = account;
      const step = {
        transport: { kind: 'provider', backend },
        account: { id: account.accountId, credentials: account },
        // Neither of the vendors says of a fax that it stopped whether a page had left.
        traits: { ...traits, stops: false },
        reason: routing.isOwnNumber(to)
          ? 'The fax provider of this installation; the fax comes in here again.'
          : 'The fax provider of this installation.',
        callbackPath: traits.callbacks ? callbackPath(backend) : null,
      } as const;
      return { steps: [step] };
    },
    of({ kind, backend }) {
      const provider = kind === 'provider' ? routing.cloud(backend) : null;
      if (!provider) throw new Error(`no transport ${kind} ${backend}`);
      return providerTransport(provider, backend);
    },
  };
}

function providerTransport(provider: CloudProvider, backend: Backend): Transport {
  return {
    kind: 'provider',
    backend,
    reach: (credentials) => asTransport(provider.reach(credentials)),
    async begin(credentials, request) {
      const { providerId } = await asTransport(provider.submit(credentials, request));
      return { reference: providerId };
    },
    async resume(credentials, reference) {
      return reportOf(await asTransport(provider.fetchReport(credentials, reference)));
    },
    stop: () => Promise.resolve(false),
    callbacks: readerOf(provider),
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

/** The vendors try again by themselves, so what their last try met does not prove that no page left before. */
function reportOf({ providerId, ...report }: ProviderReport): TransportReport {
  return { ...report, reference: providerId, noPageLeft: false };
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
