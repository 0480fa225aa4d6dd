import type { ErrorCode } from '../../../../shared/errors/all.ts';
import type { DeliveryRefusal, Signed } from '../wire/statement.ts';

/** Signed answer to a partner. `code` of a refusal goes into a header. */
export interface SignedAnswer {
  readonly code: ErrorCode | null;
  readonly body: Signed;
}

/** Code of the answer to a document that is not taken. */
export const CODE_OF = {
  not_verified: 'direct_not_taken',
  wrong_recipient: 'direct_not_taken',
  stale: 'direct_not_taken',
  other_document: 'direct_id_used',
  withdrawn: 'direct_id_used',
  tampered: 'direct_document_invalid',
  not_a_pdf: 'direct_document_invalid',
  too_large: 'too_large',
} as const satisfies Record<DeliveryRefusal, ErrorCode>;
