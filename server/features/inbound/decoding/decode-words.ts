import type { DecodeState } from '../../../../shared/states/inbound.ts';
import type { OriginalRow } from '../store/original-store.ts';

/** Returns the sentence for people about the result of decoding. */
export function decodeSentence(
  {
    document_name,
    pages_found,
    pages_needed,
  }: Pick<OriginalRow, 'document_name' | 'pages_found' | 'pages_needed'>,
  state: DecodeState,
): string {
  switch (state) {
    case 'decoded':
      return `The original ${document_name ?? ''} was recovered from the pages. Its fingerprint matches.`;
    case 'incomplete':
      return `${pages_found ?? 0} of the ${pages_needed ?? 0} pages that are needed could be read. Ask the sender to send the fax again.`;
    case 'key_missing':
      return 'The pages are encrypted, and there is no shared key for the sender. Add the key to the contact of the sender, or choose a contact.';
    case 'key_wrong_or_altered':
      return 'The shared key does not open the pages. It is not the key of the sender, or the pages were altered.';
    case 'fingerprint_mismatch':
      return 'The recovered file does not match its fingerprint and was discarded. Ask the sender to send the fax again.';
    default:
      return state satisfies never;
  }
}
