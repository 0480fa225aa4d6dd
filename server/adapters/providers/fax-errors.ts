import type { Unreached } from '../../../shared/states/outbound.ts';
import { plainText } from './plain-text.ts';

/** The error ids in words for a person; both vendors number alike. The list is open: an unknown id falls back to its type. */
const sentencesById: Readonly<Record<string, string>> = {
  4: 'The document could not be prepared for sending.',
  54: 'The fax provider could not fetch the document from Faxdesk.',
  55: 'The fax provider could not use the address of the document.',
  57: 'The fax provider could not store the document.',
  69: 'The fax provider could not assemble the document.',
  122: 'This was a test: the fax provider pretended that the document could not be prepared.',
  128: 'The fax provider does not recognize this type of document.',
  129: 'The fax provider cannot fax this type of document.',
  130: 'The fax provider cannot fax this type of document.',
  11: 'The call was cut off early.',
  15: 'The telephone network was busy.',
  16: 'Nobody answered.',
  17: 'The line was busy.',
  19: 'The other side hung up right away.',
  30: 'No fax machine answered.',
  32: 'The number cannot accept this kind of call.',
  34: 'The number is not in service.',
  43: 'The call could not be connected.',
  49: 'The number is not in service.',
  50: 'The call was refused.',
  52: 'The telephone network cannot reach this number.',
  73: 'The number has changed.',
  87: 'Nobody answered.',
  88: 'The telephone network failed.',
  100: 'The recipient’s telephone company had a problem.',
  110: 'The telephone network failed.',
  112: 'Nobody answered.',
  115: 'The number has changed.',
  121: 'This was a test: the fax provider pretended that the call failed.',
  6: 'The fax machines could not communicate.',
  82: 'The fax machines could not communicate.',
  7: 'The receiving machine did not accept the page size.',
  8: 'The receiving machine did not respond after a page.',
  10: 'The call was disconnected after several tries.',
  12: 'The fax machines could not agree on a connection.',
  13: 'The other side did not respond for too long.',
  14: 'The other side did not respond for too long.',
  18: 'The receiving machine’s answer could not be understood.',
  20: 'The fax machines could not agree on a connection.',
  21: 'The call was disconnected after a page.',
  22: 'The fax machines could not agree on a connection.',
  25: 'The receiving machine did not accept the resolution.',
  26: 'The receiving machine did not respond.',
  28: 'The fax machines found no speed that both can use.',
  29: 'The receiving machine gave an unclear answer after a page.',
  31: 'The receiving machine cannot accept this fax.',
  68: 'The receiving machine cannot accept this fax.',
  38: 'The other side hung up first.',
  40: 'The telephone connection failed.',
  44: 'The telephone connection failed.',
  41: 'The call was disconnected unexpectedly.',
  53: 'The call was disconnected unexpectedly.',
  80: 'The call was disconnected unexpectedly.',
  46: 'The account at the fax provider has no credit.',
  48: 'The receiving machine did not answer; it may be out of paper.',
  60: 'The connection failed between two pages.',
  63: 'The fax machines did not understand each other.',
  75: 'The fax was canceled by a person.',
  76: 'The fax was canceled because it took too long.',
  77: 'The receiving machine was not ready.',
  79: 'The fax could not be canceled: it was already complete.',
  84: 'The receiving machine’s answer could not be understood.',
  113: 'The fax provider no longer had the document.',
  117: 'The document has no pages.',
  119: 'This was a test: the fax provider pretended that the fax failed.',
  131: 'The fax is incomplete.',
  132: 'No fax machine answered: there was no fax tone.',
  133: 'The fax provider does not allow faxes to this number.',
  'documentconversionerror:133': 'The fax provider could not read the PDF.',
};

/** By the type without underscores, in lower case: one vendor writes `lineError`, the other `LINE_ERROR`. */
const sentencesByType: Readonly<Record<string, string>> = {
  documentconversionerror: 'The fax provider could not prepare the document.',
  lineerror: 'The telephone line failed.',
  callerror: 'The call failed.',
  faxerror: 'The fax transmission failed.',
  generalerror: 'The fax provider reported an error.',
  fatalerror: 'The fax provider reported a serious error.',
};

interface WireError {
  readonly type: string | null;
  readonly id: number | null;
  readonly message: string | null;
}

/** Reason why a fax failed: a sentence for a person, and the vendor's own code for looking it up there. */
export interface Failure {
  readonly failure: string;
  /** Type and id, e.g. `lineError 17`; null where the vendor gave neither. */
  readonly failureCode: string | null;
}

/** The cause in words, e.g. `The line was busy.`, and its code apart from it. */
export function failureFacts(error: WireError): Failure {
  const type = error.type === null ? '' : plainText(error.type, 40);
  const code = [type, error.id ?? ''].join(' ').trim();
  return { failure: causeSentence(error, type), failureCode: code === '' ? null : code };
}

/** Of a fax that has not failed. */
export const NO_FAILURE = { failure: null, failureCode: null } as const;

function causeSentence(error: WireError, type: string): string {
  const kind = type.replaceAll('_', '').toLowerCase();
  const known = sentencesById[`${kind}:${error.id ?? ''}`] ?? sentencesById[String(error.id ?? '')];
  if (known !== undefined) return known;
  const message = plainText(error.message ?? '', 160);
  if (message !== '') return /[.!?]$/u.test(message) ? message : `${message}.`;
  return sentencesByType[kind] ?? 'The fax provider gave no reason.';
}

/**
 * Error ids of calls that nobody answered. A machine that stayed silent is not among them: a person may have picked up.
 */
const noAnswerIds: Readonly<Record<number, Unreached>> = {
  17: 'busy',
  16: 'no_answer',
  87: 'no_answer',
  112: 'no_answer',
};

/** Returns the reason when a call failed because the number was busy or nobody answered; null otherwise. */
export function noAnswerReason({ type, id }: Pick<WireError, 'type' | 'id'>): Unreached | null {
  const isOfCall = type === null || /^(?:line|call)_?error$/iu.test(type);
  return (isOfCall && id !== null && noAnswerIds[id]) || null;
}
