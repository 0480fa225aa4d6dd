import type { DeliveryRefusal } from '../wire/statement.ts';

/** Sentences for people about a document that certainly did not arrive. */
export const NOT_DELIVERED: Readonly<Record<DeliveryRefusal | 'not_received' | 'not_sent', string>> = {
  not_sent: 'The partner’s installation could not be reached.',
  not_received: 'The partner’s installation did not receive the document.',
  not_verified: 'The partner’s installation does not accept documents from here. Check the partnership.',
  wrong_recipient: 'The partner’s installation has other keys now. Add its new card.',
  stale: 'The clocks of the two installations differ by more than a day.',
  other_document: 'The partner’s installation has another document under this ID.',
  withdrawn: 'The partner’s installation no longer takes a document under this ID.',
  tampered: 'The document was altered on its way.',
  not_a_pdf: 'The partner’s installation could not read the document.',
  too_large: 'The document is too large for the partner’s installation.',
};
