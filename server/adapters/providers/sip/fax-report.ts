import {
  EMPTY_REPORT,
  type EndedCall,
  type TransportReport,
  UNKNOWN_CALL,
} from '../../../features/outbound/transport-port.ts';
import { isoTime } from '../../../platform/clock.ts';
import { causeCode, causeSentence, noAnswerReason } from './causes.ts';
import type { CallOutcome } from './outcome-record.ts';
import { findStopCause, type StopCause } from './status-texts.ts';

/** Answer, identification and training take longer: in a shorter call no page was begun. */
const MIN_PAGE_SECONDS = 5;

/** Whatever the fax machines were at by then. */
const HUNG_UP: StopCause = { sentence: 'The other side hung up right away.', proves: 'nothing' };

const CHECK_SENTENCE = 'Check with the recipient, then decide.';

/** Maps a call that ended to the gateway's report. `sentPages` is the page count of the fax; null where unknown. */
export function reportOfCall(
  reference: string,
  outcome: CallOutcome,
  sentPages: number | null,
): TransportReport {
  const common = {
    reference,
    rawStatus: outcome.status || `not answered, ${causeCode(outcome) ?? 'no cause'}`,
    ...EMPTY_REPORT,
    pages: outcome.pages,
    rateBps: outcome.rateBps,
    completedAt: timeOf(outcome.endedAt),
    call: endedCall(outcome),
  } as const;
  if (outcome.answeredAt === null && outcome.status !== 'SUCCESS')
    return {
      ...common,
      outcome: 'failed',
      pages: null,
      failure: causeSentence(outcome),
      failureCode: causeCode(outcome),
      unreached: noAnswerReason(outcome),
      noPageTransmitted: true,
    };
  if (outcome.status === 'SUCCESS') return { ...common, ...successOf(outcome, sentPages) };
  return { ...common, ...failureOf(outcome, sentPages) };
}

/**
 * Reports a call of which the engine has no record any more. `wasAnswered` is null where the engine lost its notes as
 * well.
 */
export function reportOfLostCall(reference: string, wasAnswered: boolean | null): TransportReport {
  const unanswered = wasAnswered === false;
  return {
    reference,
    outcome: unanswered ? 'failed' : 'unconfirmed',
    rawStatus: 'call lost',
    call: UNKNOWN_CALL,
    ...EMPTY_REPORT,
    noPageTransmitted: unanswered,
    failure: unanswered
      ? 'The telephone engine stopped before anyone answered.'
      : `The telephone engine stopped during the call, and we don’t know how much of the fax arrived. ${CHECK_SENTENCE}`,
  };
}

function endedCall(outcome: CallOutcome): EndedCall {
  const { cause, sipStatus, mode, ecm, resolution, stationId } = outcome;
  const answeredAt = timeOf(outcome.answeredAt);
  const endedAt = timeOf(outcome.endedAt);
  const isFax = mode !== null || outcome.status !== '';
  return { answeredAt, endedAt, cause, sipStatus, mode, ecm: isFax ? ecm : null, resolution, stationId };
}

const timeOf = (seconds: number | null) => (seconds === null ? null : isoTime(seconds * 1000));

type OutcomeFacts = Pick<TransportReport, 'outcome' | 'failure' | 'failureCode' | 'noPageTransmitted'>;

/** A success without the number of its pages shows nothing; with too few, the room of sent faxes asks a person. */
function successOf(
  { pages }: CallOutcome,
  sentPages: number | null,
): Partial<OutcomeFacts> & Pick<OutcomeFacts, 'outcome'> {
  if (pages !== null && (sentPages === null || pages <= sentPages)) return { outcome: 'success' };
  const failure = `The telephone engine reported that the fax was sent, but not how many pages were confirmed. ${CHECK_SENTENCE}`;
  return { outcome: 'unconfirmed', failure };
}

function failureOf(outcome: CallOutcome, sentPages: number | null): OutcomeFacts {
  const by = hungUpAtOnce(outcome) ? HUNG_UP : findStopCause(outcome);
  const failureCode = (outcome.statusText || outcome.error || causeCode(outcome)) ?? null;
  const confirmed = outcome.pages ?? 0;
  const sentence = pageSentence(by, confirmed, sentPages);
  if (mayHavePrinted(outcome, by, sentPages)) {
    const last = sentPages === 1 ? 'The page' : 'The last page';
    const failure = `${pagesSentence(confirmed, sentPages)}${sentence} ${last} may have been printed. ${CHECK_SENTENCE}`;
    return { outcome: 'unconfirmed', failure, failureCode, noPageTransmitted: false };
  }
  const nothingLeft = confirmed === 0 && by.proves === 'nothing';
  return {
    outcome: 'failed',
    failure: `${pagesSentence(confirmed, sentPages)}${sentence}`,
    failureCode,
    noPageTransmitted: nothingLeft,
  };
}

/** All other pages were confirmed, and the one at hand may have gone through. */
function mayHavePrinted(outcome: CallOutcome, by: StopCause, sentPages: number | null): boolean {
  if (by.proves !== 'perhaps the page') return false;
  return sentPages === null || (outcome.pages ?? 0) >= sentPages - 1;
}

/** Before any page can have begun. */
export function hungUpAtOnce({ answeredAt, endedAt }: CallOutcome): boolean {
  if (answeredAt === null || endedAt === null) return false;
  return endedAt >= answeredAt && endedAt - answeredAt < MIN_PAGE_SECONDS;
}

/**
 * Returns the reason why it stopped; names the page that was sent completely but not confirmed, where the engine
 * reported it.
 */
function pageSentence(by: StopCause, confirmed: number, sentPages: number | null): string {
  const page = confirmed + 1;
  const isNamed = by.isPageWhole === true && (sentPages === null || page <= sentPages);
  return isNamed ? `Page ${page} was sent completely but not confirmed.` : by.sentence;
}

/** `2 of 3 pages were confirmed. `, or nothing. */
function pagesSentence(confirmed: number, sentPages: number | null): string {
  if (confirmed === 0) return '';
  const of = sentPages === null ? '' : ` of ${sentPages}`;
  const pages = confirmed === 1 && sentPages === null ? 'page' : 'pages';
  return `${confirmed}${of} ${pages} ${confirmed === 1 ? 'was' : 'were'} confirmed. `;
}
