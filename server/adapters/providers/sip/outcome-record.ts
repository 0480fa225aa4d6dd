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
  /** Pages that the other machine confirmed; null where no fax was begun. */
  readonly pages: number | null;
  readonly rateBps: number | null;
  readonly mode: CallMode | null;
  /** Dots per inch, across and down, e.g. `204x196`. */
  readonly resolution: string | null;
  /** Error correction as it was requested, which the other machine may have refused; null when not recorded. */
  readonly ecm: boolean | null;
  /** Station id that the other machine sent: a hint, never an identity. */
  readonly stationId: string | null;
  /** Epoch seconds; null for a call that was not answered. */
  readonly answeredAt: number | null;
  /** Epoch seconds. */
  readonly endedAt: number | null;
  /** Q.850 cause of the hang-up; null where none is known. */
  readonly cause: number | null;
  /** SIP status of a call that was not answered; null where there was none. */
  readonly sipStatus: number | null;
}

/** Q.850 cause: no answer from the user. */
export const NO_ANSWER = 19;

/**
 * Parses the two records that the dialplan wrote: `name=value` pairs joined by `;`. The values in `words` are in base64.
 * Missing and invalid fields become null or empty. Returns null when `facts` is no record of an ended call.
 */
export function readOutcome(facts: string, words: string): CallOutcome | null {
  const fields = new Map([...words.split(';'), ...facts.split(';')].map((pair) => splitPair(pair)));
  if (!fields.has('status') || !fields.has('ended')) return null;
  const text = (name: string) => cleanText(Buffer.from(fields.get(name) ?? '', 'base64').toString('utf8'));
  const count = (name: string) => countOf(fields.get(name));
  const mode = fields.get('mode')?.toLowerCase();
  const cause = count('cause');
  const sipStatus = countOf(/\b[3-6]\d\d\b/u.exec(text('techcause'))?.[0]);
  const isUnanswered = !count('answered');
  return {
    status: cleanText(fields.get('status') ?? ''),
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
    // Cause 0: neither side nor a network ended the call, so it was redirected or rang until the timeout.
    cause: cause === 0 ? (isRedirect(sipStatus) ? null : NO_ANSWER) : cause,
    // After the answer this is the status of a later request, such as the re-INVITE to T.38.
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

/** Removes control and format characters and limits the length, because the other side chooses parts of these texts. */
function cleanText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\uFFFD]/gu, '').slice(0, 120);
}
