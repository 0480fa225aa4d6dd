import type { Fax } from '../api/outbound.ts';
import { t } from '../texts/index.ts';
import { formatCount, formatDayAndTime, formatTime } from '../ui/format.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Tone } from '../ui/state-word.tsx';

export type { Fax } from '../api/outbound.ts';

/** Fields that show what a fax waits for. */
type Waiting = Pick<Fax, 'send_at' | 'hours' | 'waits_for' | 'held_reason' | 'together'>;

export interface StateSign {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
  /** For the width of a column, where the word is longer. */
  readonly short?: string;
}

/**
 * Returns the state of a sent fax in a few words with its sign. Calls only confirmed faxes delivered, and distinguishes
 * a person's confirmation from the machine's.
 */
export function faxState(
  fax: Pick<Fax, 'delivery_state' | 'decision'> & Partial<Pick<Fax, 'test'>> & Waiting,
): StateSign {
  switch (fax.delivery_state) {
    case 'held':
      return heldState(fax);
    case 'ready':
      return waitingState(fax);
    case 'preparing':
      return { tone: 'go', icon: 'going', word: t.fax.preparing };
    case 'submitting':
      return { tone: 'go', icon: 'going', word: t.fax.submitting };
    case 'in_progress':
      return { tone: 'go', icon: 'going', word: t.fax.sending };
    case 'success':
      if (fax.test && fax.decision === null)
        return { tone: 'plain', icon: 'check', word: t.fax.deliveredAsTest, short: t.fax.delivered };
      return {
        tone: 'ok',
        icon: 'ok',
        word: fax.decision ? t.fax.deliveredAsToldBy(fax.decision.by) : t.fax.delivered,
      };
    case 'failed':
      return {
        tone: 'danger',
        icon: 'alert',
        word: fax.decision ? t.fax.failedAsToldBy(fax.decision.by) : t.fax.failed,
      };
    case 'cancelled':
      return { tone: 'plain', icon: 'close', word: t.fax.cancelled };
    case 'reconciliation_required':
      return { tone: 'warn', icon: 'question', word: t.fax.needsConfirmation };
  }
}

/** A fax held by a spending limit waits for approval by a person. */
function heldState({ held_reason }: Pick<Fax, 'held_reason'>): StateSign {
  if (held_reason === null) return { tone: 'plain', icon: 'pause', word: t.fax.held };
  return { tone: 'warn', icon: 'pause', word: t.fax.heldByLimit, short: t.fax.overLimit };
}

function waitingState({ waits_for, send_at, hours, together }: Waiting): StateSign {
  if (waits_for !== null)
    return { tone: 'plain', icon: 'clock', word: t.fax.waitsFor[waits_for], short: t.fax.waiting };
  if (hours !== null) return scheduledFor(formatDayAndTime(hours.open_at));
  const leaves = sendTogetherState({ send_at, together });
  if (leaves !== null) return { tone: 'plain', icon: 'clock', ...leaves };
  if (send_at === null) return { tone: 'plain', icon: 'clock', word: t.fax.waiting };
  return scheduledFor(formatDayAndTime(send_at));
}

/**
 * Returns when a fax that waits for others to its number leaves, and with how many; null once it has left, and for all
 * others. One with a time of its own that no other waits for is only scheduled.
 */
export function sendTogetherState({
  send_at,
  together: { leaves_at, with: others },
}: Pick<Fax, 'send_at' | 'together'>): { readonly word: string; readonly short: string } | null {
  const now = new Date();
  if (leaves_at === null || Date.parse(leaves_at) <= now.getTime()) return null;
  const count = others.length;
  if (count === 0 && send_at !== null && Date.parse(send_at) > now.getTime()) return null;
  const isToday = new Date(leaves_at).toDateString() === now.toDateString();
  const when = isToday ? t.fax.atTime(formatTime(leaves_at)) : formatDayAndTime(leaves_at, now);
  const short = t.fax.leaves(when);
  return { short, word: count === 0 ? short : t.fax.leavesTogether(formatCount(count), count === 1, when) };
}

function scheduledFor(time: string): StateSign {
  const [first = '', ...rest] = time;
  const short = [first.toLocaleUpperCase(), ...rest].join('');
  return { tone: 'plain', icon: 'clock', word: t.fax.scheduled(time), short };
}

/** The number was busy or nobody answered, and no other fax tries it again yet. */
export const wasUnreached = ({ delivery_state, attempt, tried_again_as }: Fax): boolean =>
  delivery_state === 'failed' && attempt !== null && attempt.unreached !== null && tried_again_as === null;

/**
 * Returns the number of pages of the document that were confirmed; null while it is unknown. Encoded pages carry all of it
 * or nothing.
 */
export function documentPagesSent({ delivery_state, attempt, document }: Fax): number | null {
  if (attempt === null || attempt.encoded_pages === null) return attempt?.pages_sent ?? null;
  return delivery_state === 'success' ? document.pages : null;
}

/**
 * Returns the first page that certainly did not arrive, where the number of delivered pages is known; null where all or
 * none are missing.
 */
export function missingFrom(fax: Fax): number | null {
  const { delivery_state, document } = fax;
  const sent = documentPagesSent(fax) ?? 0;
  return delivery_state === 'failed' && sent > 0 && sent < document.pages ? sent + 1 : null;
}
