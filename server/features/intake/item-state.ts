import type { MailState } from '../../../shared/states/intake.ts';

/**
 * Allowed state changes of an e-mail. Only a person returns one from `uncertain` to sending; a waiting one becomes
 * uncertain only when an older store was restored.
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
