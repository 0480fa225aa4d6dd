/** Properties of a number. */
interface NumberFacts {
  readonly internal: boolean;
  readonly direct: boolean;
  readonly together_minutes: number;
}

/** Options chosen for the fax; `sendAt` in the format of a date and time field, empty for none. */
interface ChosenOptions {
  readonly urgent: boolean;
  readonly sendAt: string;
  readonly sendNow: boolean;
  readonly byCall: boolean;
}

/**
 * Way in which the fax leaves with others to a number whose faxes are sent together, as the gateway decides at
 * acceptance.
 */
export type SendTogether =
  | { readonly kind: 'waits'; readonly minutes: number }
  /** At once, with those that wait. */
  | { readonly kind: 'now' }
  /** At its own time, with those that wait then. */
  | { readonly kind: 'scheduled' }
  /** Alone. */
  | { readonly kind: 'urgent' };

/** Null where the number has each fax leave in a call of its own, where nothing is called, and for a fax that is held. */
export function sendTogetherOf(
  check: NumberFacts | null,
  options: ChosenOptions,
  isSendingOff: boolean,
): SendTogether | null {
  const { urgent, sendAt, sendNow, byCall } = options;
  const isCalled = check !== null && ((!check.internal && !check.direct) || byCall);
  if (!isCalled || check.together_minutes === 0 || isSendingOff) return null;
  if (urgent) return { kind: 'urgent' };
  if (!Number.isNaN(Date.parse(sendAt))) return { kind: 'scheduled' };
  return sendNow ? { kind: 'now' } : { kind: 'waits', minutes: check.together_minutes };
}
