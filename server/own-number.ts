import { z } from 'zod';
import { type FaxToSend, NOTHING_TOLD } from '../shared/fax-transport.ts';
import { INTERNAL_BACKEND } from '../shared/states.ts';
import type { InternalDelivery } from './features/inbound/service.ts';
import type { InternalFax } from './features/inbound/types.ts';
import {
  type ChosenStep,
  type Transport,
  TransportError,
  type TransportReport,
} from './features/outbound/port.ts';

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
export function ownNumberStep(from: string | null): ChosenStep {
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
export function ownNumberTransport(delivery: () => InternalDelivery): Transport {
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
    ...NOTHING_TOLD,
    pages: fax?.document.pages ?? null,
    to: fax?.to ?? null,
  };
}
