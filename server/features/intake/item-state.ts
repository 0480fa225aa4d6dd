import type { MailState } from '../../../shared/states.ts';

/**
 * What may become of an e-mail. From `uncertain` only a person leads back to sending; what waits becomes uncertain only where
 * the store itself is an older one.
 */
const NEXT: Readonly<Record<MailState, readonly MailState[]>> = {
  received: ['received', 'sending', 'delivered', 'failed', 'uncertain'],
  sending: ['received', 'delivered', 'uncertain', 'failed'],
  uncertain: ['delivered', 'received'],
  failed: ['received'],
  delivered: [],
};

export const mayBecome = (from: MailState, to: MailState): boolean => NEXT[from].includes(to);

/** A change that the table of states does not have: a bug. */
export class ForbiddenMailStateError extends Error {
  override name = 'ForbiddenMailStateError';
}
