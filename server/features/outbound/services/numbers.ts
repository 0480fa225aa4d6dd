import type { Caller } from '../../access/service.ts';
import { checkNumber, recentNumbers } from '../list/numbers.ts';
import { proposeAbout } from '../list/propose-about.ts';
import type { OutboundParts } from '../parts.ts';
import type { Previews } from '../preview/preview.ts';

/** A number as typed, with the document that is to be sent to it. */
interface CheckRequest {
  readonly text: string;
  /** Null while there is no preview. */
  readonly previewId: string | null;
  /** The fax that is sent again on purpose; null for none. */
  readonly resendOf: string | null;
}

/** Looks numbers up before a fax is sent. */
export interface NumberService {
  /** Lists the numbers of faxes that the caller may see, the last used first. */
  numbers(caller: Caller, request: Parameters<typeof recentNumbers>[2]): ReturnType<typeof recentNumbers>;
  checkNumber(caller: Caller, request: CheckRequest): ReturnType<typeof checkNumber>;
  /** Proposes what a fax to a number, as typed, is about. */
  proposeAbout(caller: Caller, number: string): ReturnType<typeof proposeAbout>;
}

export function createNumberService(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'transports' | 'settings' | 'contacts' | 'received'> & {
    readonly previews: Pick<Previews, 'identity'>;
    readonly documents: Pick<OutboundParts['documents'], 'warmUp'>;
  },
): NumberService {
  return {
    async numbers(caller, request) {
      // A person who searches for a number is about to send a document to it.
      parts.documents.warmUp();
      return recentNumbers(parts, caller, request);
    },
    async checkNumber(caller, { text, previewId, resendOf }) {
      const document = previewId === null ? null : parts.previews.identity(previewId, caller);
      return checkNumber(parts, caller, { text, document, resendOf });
    },
    proposeAbout: async (caller, number) => proposeAbout(parts, caller, number),
  };
}
