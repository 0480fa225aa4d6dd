import type { ErrorTable } from './error-table.ts';

/** Refusals of documents that partners deliver directly. */
export const directErrors = {
  direct_unreadable: {
    status: 400,
    sentence: 'This is not a direct delivery: manifest, signature and document, in this order.',
  },
  direct_document_invalid: {
    status: 400,
    meaning:
      'The document is not the one of its manifest, or not a readable PDF; a signed statement says which.',
  },
  direct_unknown_sender: { status: 403, sentence: 'The sender is not a partner of this installation.' },
  direct_bad_signature: { status: 403, sentence: 'The signature of the partner is not valid, or too old.' },
  direct_not_taken: {
    status: 403,
    meaning:
      'The partner is not verified, the document is not for this installation, or too old; a signed statement says which.',
  },
  direct_id_used: {
    status: 409,
    meaning: 'The ID has another document, or was withdrawn; a signed statement says which.',
  },
  length_required: { status: 411, sentence: 'Send the length of the upload (Content-Length).' },
} as const satisfies ErrorTable;
