import type { CallMode } from '../../../../shared/states/telephony.ts';
import { dotsPerInch } from '../../../platform/fax-resolution.ts';
import { isRedirect } from './causes.ts';

/** Outcome of a call, as the dialplan recorded it in the engine. */
export interface CallOutcome {
  /** FAXSTATUS; empty where no fax was begun. */
  readonly status: string;
  /** FAXERROR. */
  readonly error: string;
  /** FAXSTATUSSTRING. */
  readonly statusText: string;
  /** Pages that the other side confirmed; null where none was begun. */
  readonly pages: number | null;
  readonly rateBps: number | null;
  readonly mode: CallMode | null;
  /** Dots per inch, across and down, e.g. `204x196`. */
  readonly resolution: string | null;
  /** As it was asked for; what was agreed on, only the session says. */
  readonly ecm: boolean | null;
  /** Station id that the other machine sent: a hint, never an identity. */
  readonly stationId: string | null;
  /** Epoch seconds; null for a call that nobody took. */
  readonly answeredAt: number | null;
  /** Epoch seconds. */
  readonly endedAt: number | null;
  /** Q.850; null where the engine has none. */
  readonly cause: number | null;
  /** SIP status of a call that was not answered; null where there was none. */
  readonly sipStatus: number | null;
}

/** Q.850: nobody answered. */
export const NO_ANSWER = 19;

/**
 * Reads the two lines that the dialplan wrote: `name=value` pairs joined by `;`, the words in base64. What is missing or cannot
 * be read is null or empty. Null for facts that are none.
 */
export function readOutcome(facts: string, words: string): CallOutcome | null {
  const fields = new Map([...words.split(';'), ...facts.split(';')].map((pair) => splitPair(pair)));
  if (!fields.has('status') || !fields.has('ended')) return null;
  const text = (name: string) => visible(Buffer.from(fields.get(name) ?? '', 'base64').toString('utf8'));
  const count = (name: string) => countOf(fields.get(name));
  const mode = fields.get('mode')?.toLowerCase();
  const cause = count('cause');
  const sipStatus = countOf(/\b[3-6]\d\d\b/u.exec(text('techcause'))?.[0]);
  const isUnanswered = !count('answered');
  return {
    status: visible(fields.get('status') ?? ''),
    error: text('error'),
    statusText: text('statusstr'),
    pages: count('pages'),
    rateBps: count('rate') || null,
    mode: mode === 't38' || mode === 'audio' ? mode : null,
    resolution: dotsPerInch(fields.get('resolution')),
    ecm: fields.get('ecm') ? fields.get('ecm') === 'yes' : null,
    stationId: text('station').trim() || null,
    answeredAt: count('answered') || null,
    endedAt: count('ended') || null,
    // Without an end by either side or a network, the call rang until the timeout.
    cause: cause === 0 ? (isRedirect(sipStatus) ? null : NO_ANSWER) : cause,
    // After the answer it speaks of something else, such as a question for T.38.
    sipStatus: isUnanswered ? sipStatus : null,
  };
}

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/u.test(text) ? Number(text) : null;
}

/** The other side has a say in it. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\uFFFD]/gu, '').slice(0, 120);
}
