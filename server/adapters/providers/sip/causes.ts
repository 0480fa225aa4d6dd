import type { Unreached } from '../../../../shared/states/outbound.ts';

/** Sentences for unanswered calls, by Q.850 cause. */
const SENTENCES: Readonly<Record<number, string>> = {
  1: 'The number does not exist. Check it.',
  2: 'The carrier cannot reach this number.',
  3: 'The carrier cannot reach this number.',
  16: 'The call ended before anyone answered.',
  17: 'The line was busy.',
  18: 'The other side’s network did not respond.',
  19: 'Nobody answered.',
  20: 'The line is not connected at the moment.',
  21: 'The call was refused.',
  22: 'The number has changed.',
  23: 'The number has changed.',
  27: 'The receiving line is out of order.',
  28: 'The number is incomplete or wrong.',
  29: 'The carrier does not allow this call.',
  31: 'The call failed without a reason.',
  34: 'The carrier was overloaded or out of service.',
  38: 'The carrier was overloaded or out of service.',
  41: 'The carrier was overloaded or out of service.',
  42: 'The carrier was overloaded or out of service.',
  44: 'The carrier was overloaded or out of service.',
  50: 'The carrier does not allow this call.',
  52: 'The carrier does not allow this call.',
  57: 'The carrier does not allow this call.',
  58: 'The other side does not accept this kind of call.',
  88: 'The other side does not accept this kind of call.',
  102: 'The carrier did not answer in time.',
  127: 'The call failed between carriers.',
};

const SIGN_IN_REFUSED =
  'The carrier refused the sign-in of this installation. Check user, password and address of the trunk.';
/** Some carriers say so for the other side, others of this installation. */
const FORBIDDEN =
  'The call was refused. If every call is refused, check user, password and address of the trunk.';
/** A carrier that answers so (SIP 3xx) wants another number called, which nobody chose here. */
const REDIRECTED =
  'The carrier redirected the call to another number, which Faxdesk does not call. Ask the recipient for the right number.';
const UNKNOWN_CAUSE = 'The call failed without a reason.';

const NO_ANSWER_CAUSES: Readonly<Record<number, Unreached>> = { 17: 'busy', 19: 'no_answer' };

/** Cause that the engine and the carrier reported for an unanswered call. */
interface CallCause {
  /** Q.850; null where unknown. */
  readonly cause: number | null;
  readonly sipStatus: number | null;
}

/** Returns the reason why a call was not answered, in one sentence. */
export function causeSentence({ cause, sipStatus }: CallCause): string {
  if (isRedirect(sipStatus)) return REDIRECTED;
  if (cause === 21 && (sipStatus === 401 || sipStatus === 407)) return SIGN_IN_REFUSED;
  if (cause === 21 && sipStatus === 403) return FORBIDDEN;
  return SENTENCES[cause ?? 31] ?? UNKNOWN_CAUSE;
}

/** Returns the reason to try a number again: busy or not answered. Null otherwise. */
export function noAnswerReason({ cause, sipStatus }: CallCause): Unreached | null {
  return isRedirect(sipStatus) ? null : (NO_ANSWER_CAUSES[cause ?? 0] ?? null);
}

export const isRedirect = (sipStatus: number | null): boolean =>
  sipStatus !== null && sipStatus >= 300 && sipStatus < 400;

/** Formats the cause for looking it up, e.g. `cause 17, SIP 486`; null where nothing was reported. */
export function causeCode({ cause, sipStatus }: CallCause): string | null {
  const parts = [cause === null ? [] : `cause ${cause}`, sipStatus === null ? [] : `SIP ${sipStatus}`].flat();
  return parts.length === 0 ? null : parts.join(', ');
}
