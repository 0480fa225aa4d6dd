import type { InboundStatus } from '../../../shared/states/inbound.ts';

/**
 * Allowed state changes of a received fax. Once its document is filed the state is final; a document that arrives after
 * the last attempt was given up is filed all the same.
 */
const ALLOWED: Readonly<Record<InboundStatus, readonly InboundStatus[]>> = {
  waiting: ['received', 'failed'],
  failed: ['waiting', 'received'],
  received: [],
};

/** Returns true when a received fax may change to this state; keeping its state is always allowed. */
export function mayBecome(from: InboundStatus, to: InboundStatus): boolean {
  return from === to || ALLOWED[from].includes(to);
}

/** A change that the table does not have, which is a bug of the caller. */
export class ForbiddenReceivedStateError extends Error {
  override name = 'ForbiddenReceivedStateError';
}
