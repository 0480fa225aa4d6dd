import type { ErrorTable } from './error-table.ts';

/** Refusals of direct delivery: of its screens and commands, and of requests of partners. */
export const directErrors = {
  direct_incomplete: {
    status: 409,
    meaning: 'Direct delivery is on, and a setting that it needs is missing; the sentence says which one.',
  },
  no_such_partner: { status: 404, sentence: 'There is no such partner.' },
  card_refused: { status: 400, meaning: 'The text is not a valid card; the sentence says why.' },
  own_card: { status: 409, meaning: 'The card, or the fax number on it, is that of this installation.' },
  partner_address_refused: {
    status: 409,
    meaning: 'The address of the partner is not allowed or cannot be found; nothing was sent to it.',
  },
  too_many_partners: { status: 409, meaning: 'There are as many partners as are allowed.' },
  partner_removed: {
    status: 409,
    sentence: 'This partner was removed. Add its card again first.',
  },
  partner_code_refused: {
    status: 409,
    meaning: 'The partner did not accept the code; the sentence says why and what to do.',
  },
  partner_unreachable: {
    status: 503,
    meaning: 'The partner gave no answer that counts, so nothing was changed; the sentence says why.',
  },
  direct_unreadable: {
    status: 400,
    meaning:
      'The body is not what a partner sends: a signed statement, or manifest, signature and document in this order.',
  },
  direct_document_invalid: {
    status: 400,
    meaning:
      'The document is not the one of its manifest, or not a readable PDF; a signed statement says which.',
  },
  direct_unknown_sender: { status: 403, sentence: 'The sender is not a partner of this installation.' },
  direct_bad_signature: { status: 403, sentence: 'The signature of the partner is not valid.' },
  direct_not_taken: {
    status: 403,
    meaning:
      'The partner is not verified, or what it sent is too old, for another installation or signed with replaced keys. About a document a signed statement says which, otherwise the sentence.',
  },
  direct_id_used: {
    status: 409,
    meaning: 'The ID has another document, or was withdrawn; a signed statement says which.',
  },
  length_required: { status: 411, sentence: 'Send the length of the upload (Content-Length).' },
} as const satisfies ErrorTable;
