import type { Caller } from '../../access/service.ts';
import { checkNumber, recentNumbers } from '../list/numbers.ts';
import { proposeAbout } from '../list/propose-about.ts';
import type { OutboundParts } from '../parts.ts';

/** Looks numbers up before a fax is sent. */
export interface NumberService {
  /** Lists the numbers of faxes that the caller may see, the last used first. */
  numbers(caller: Caller, request: Parameters<typeof recentNumbers>[2]): ReturnType<typeof recentNumbers>;
  checkNumber(caller: Caller, text: string): ReturnType<typeof checkNumber>;
  /** Proposes what a fax to a number, as typed, is about. */
  proposeAbout(caller: Caller, number: string): ReturnType<typeof proposeAbout>;
}

export function createNumberService(
  parts: Pick<OutboundParts, 'db' | 'transports' | 'settings' | 'contacts' | 'received'> & {
    readonly documents: Pick<OutboundParts['documents'], 'warmUp'>;
  },
): NumberService {
  return {
    async numbers(caller, request) {
      // A person who searches for a number is about to send a document to it.
      parts.documents.warmUp();
      return recentNumbers(parts, caller, request);
    },
    checkNumber: async (caller, text) => checkNumber(parts, caller, text),
    proposeAbout: async (caller, number) => proposeAbout(parts, caller, number),
  };
}
