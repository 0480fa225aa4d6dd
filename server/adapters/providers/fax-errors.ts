import { plainText } from './plain-text.ts';

/** The error ids in words for a person; both vendors number alike. The list is open: an unknown id falls back to its type. */
const sentences: Readonly<Record<string, string>> = {
  4: 'The document could not be converted or merged.',
  54: 'The provider could not fetch the document from its address.',
  55: 'The address of the document was not usable.',
  57: 'The provider could not store the document.',
  69: 'The provider could not merge the document.',
  122: 'A conversion error was simulated.',
  128: 'The type of the document is unknown.',
  129: 'The type of the document is not supported.',
  130: 'The type of the document is not supported.',
  11: 'The call dropped early.',
  15: 'The telephone network was congested.',
  16: 'Nobody answered before the ringing timed out.',
  17: 'The line was busy.',
  19: 'The other side hung up at once.',
  30: 'No fax machine answered.',
  32: 'The destination cannot take this kind of call.',
  34: 'The number is not in operation.',
  43: 'The connection could not be set up.',
  49: 'The receiving number is not in operation.',
  50: 'The call was rejected.',
  52: 'There is no route to the number.',
  73: 'The number has changed.',
  87: 'Nobody answered.',
  88: 'The telephone network failed.',
  100: 'The carrier of the receiver had a problem.',
  110: 'The telephone network failed.',
  112: 'Nobody answered.',
  115: 'The number has changed.',
  121: 'A line error was simulated.',
  6: 'The fax machines could not communicate.',
  82: 'The fax machines could not communicate.',
  7: 'The receiving machine did not accept the page size.',
  8: 'The receiving machine did not respond after a page.',
  10: 'The call was disconnected after several tries.',
  12: 'The receiving machine did not respond to training.',
  13: 'The other side kept silent for too long.',
  14: 'The other side kept silent for too long.',
  18: 'The receiving machine sent an unexpected message.',
  20: 'The receiving machine did not stop its carrier.',
  21: 'The call was disconnected after a page.',
  22: 'The receiving machine gave a bad training response.',
  25: 'The receiving machine did not accept the resolution.',
  26: 'The receiving machine stayed silent.',
  28: 'The machines found no common speed.',
  29: 'The receiving machine gave an invalid reply after a page.',
  31: 'The receiving machine is not compatible.',
  68: 'The receiving machine is not compatible.',
  38: 'The other side hung up first.',
  40: 'A telephony error occurred.',
  44: 'A telephony error occurred.',
  41: 'The call was disconnected unexpectedly.',
  53: 'The call was disconnected unexpectedly.',
  80: 'The call was disconnected unexpectedly.',
  46: 'The account has no credit.',
  48: 'The receiving machine did not answer; it may be out of paper.',
  60: 'An error occurred between two pages.',
  63: 'The receiving machine broke the fax protocol.',
  75: 'The fax was cancelled by a user.',
  76: 'The fax was cancelled because it took too long.',
  77: 'The receiver was not ready.',
  79: 'The fax could not be cancelled: it was already complete.',
  84: 'The receiving machine sent an unexpected command.',
  113: 'The document was deleted.',
  117: 'The document has no pages.',
  119: 'A fax error was simulated.',
  131: 'The fax is incomplete.',
  132: 'No fax tone was heard.',
  133: 'Sending to this number is not permitted.',
  'documentconversionerror:133': 'The PDF could not be processed by the provider.',
};

/** By the type without underscores, in lower case: one vendor writes `lineError`, the other `LINE_ERROR`. */
const byType: Readonly<Record<string, string>> = {
  documentconversionerror: 'The provider could not convert the document.',
  lineerror: 'The telephone line failed.',
  callerror: 'The call failed.',
  faxerror: 'The fax transmission failed.',
  generalerror: 'The provider reported an error.',
  fatalerror: 'The provider reported a fatal error.',
};

export interface WireError {
  readonly type: string | null;
  readonly id: number | null;
  readonly message: string | null;
}

/** One sentence with the vendor's type and id in brackets, e.g. `The line was busy. (lineError 17)`. */
export function failureSentence(error: WireError): string {
  const type = error.type === null ? '' : plainText(error.type, 40);
  const tag = [type, error.id ?? ''].join(' ').trim();
  return tag === '' ? causeSentence(error, type) : `${causeSentence(error, type)} (${tag})`;
}

function causeSentence(error: WireError, type: string): string {
  const kind = type.replaceAll('_', '').toLowerCase();
  const known = sentences[`${kind}:${error.id ?? ''}`] ?? sentences[String(error.id ?? '')];
  if (known !== undefined) return known;
  const message = plainText(error.message ?? '', 160);
  if (message !== '') return /[.!?]$/u.test(message) ? message : `${message}.`;
  return byType[kind] ?? 'The fax failed and the provider gave no reason.';
}
