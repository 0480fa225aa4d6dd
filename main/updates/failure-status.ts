import type { LocalStatus } from '../channels.ts';
import type { Underway } from './update-record.ts';

/** A new version whose gateway is not ready. */
export interface Failure {
  /** The reason; empty for one that still starts. */
  readonly sentence: string;
  /** End of the log. */
  readonly lines: readonly string[];
  readonly isLate: boolean;
}

const LATE =
  'Faxdesk has not been ready for two minutes. It may still be updating its data, which takes longer with many faxes.';
const AS_BEFORE =
  'Your faxes and settings will be as they were before the update, and faxes that are waiting are sent.';
const UNATTENDED = 'If no one chooses here within five minutes, Faxdesk goes back by itself.';

/** The status of the local page. `problem` is why there is no way back, as sentences; null when there is one. */
export function failureStatus(
  { sentence, lines, isLate }: Failure,
  { underway, problem, isUnattended }: { underway: Underway; problem: string | null; isUnattended: boolean },
): LocalStatus {
  const { from, to } = underway;
  const offer = [`You can go back to version ${from}. ${AS_BEFORE}`, ...(isUnattended ? [UNATTENDED] : [])];
  return {
    kind: 'update-failed',
    version: to,
    before: from,
    isLate,
    sentence: isLate ? LATE : sentence,
    lines,
    wayBack: { isOpen: problem === null, sentence: problem ?? offer.join(' ') },
  };
}
