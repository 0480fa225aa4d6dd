import type { StoredRow } from './snapshot.ts';

/** Column with texts that are sealed with the data key, and the context that binds each to its row. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  context(row: StoredRow): string;
}

const text = (row: StoredRow, column: string): string => String(row[column]);

/** Lists the column of each table, with the function that returns the context. */
function sealed(table: string, column: string, context: (row: StoredRow) => string): SealedColumn {
  return { table, column, context };
}

const draft = (column: string) => (row: StoredRow) =>
  `desk_draft:${text(row, 'person_id')}:${text(row, 'id')}:${column}`;
const signature = (column: string) => (row: StoredRow) =>
  `desk_signature:${text(row, 'person_id')}:${text(row, 'id')}:${column}`;
const printed = (column: string) => (row: StoredRow) => `printed_document:${text(row, 'id')}:${column}`;
const totp = (row: StoredRow) => `totp:${text(row, 'id')}`;
const webhook = (row: StoredRow) => `webhook_endpoint.secret:${text(row, 'id')}`;

/**
 * Every column that holds sealed texts, besides the proofs of the data key. A replacement of the data key seals them anew, so a
 * column that is missing here would be lost; `test/store/db-sealed-columns.test.ts` fails for it.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealed('setting', 'value', (row) => `setting:${text(row, 'name')}`),
  sealed('principal', 'totp_secret', totp),
  sealed('principal', 'totp_pending', totp),
  sealed(
    'answered_request',
    'answer',
    (row) => `answer to ${text(row, 'caller_id')} under ${text(row, 'request_key')}`,
  ),
  sealed('security_chain', 'sealed', () => 'security_chain'),
  sealed('signing_key', 'private_key', (row) => `signing_key ${text(row, 'number')}`),
  sealed('direct_identity', 'sealed', () => 'direct_identity'),
  sealed('delivery_route', 'account', (row) => `delivery route:${text(row, 'id')}`),
  sealed('contact', 'shared_key', (row) => `contact:${text(row, 'id')}`),
  sealed('webhook_endpoint', 'secret', webhook),
  sealed('webhook_endpoint', 'former_secret', webhook),
  sealed('intake_connector', 'password', (row) => `intake_connector.password:${text(row, 'id')}`),
  sealed('intake_connector', 'oauth', (row) => `intake_connector.oauth:${text(row, 'id')}`),
  sealed('desk_draft', 'name', draft('name')),
  sealed('desk_draft', 'content', draft('content')),
  sealed('desk_phrase', 'words', (row) => `desk_phrase:${text(row, 'person_id')}:${text(row, 'id')}`),
  sealed('desk_signature', 'facts', signature('facts')),
  sealed('desk_signature', 'picture', signature('picture')),
  sealed('desk_defaults', 'choices', (row) => `desk_defaults:${text(row, 'person_id')}`),
  sealed('printed_document', 'name', printed('name')),
  sealed('printed_document', 'printed_by', printed('printed_by')),
  sealed('printed_document', 'to_number', printed('to_number')),
  sealed('mail_reply', 'subject', (row) => `mail_reply.subject/${text(row, 'mail_id')}`),
  sealed('fax_request', 'to_text', (row) => `number of the request for ${text(row, 'job_id')}`),
  sealed('fax_job', 'plan', (row) => `fax:${text(row, 'id')}`),
  sealed('inbound_fax', 'captured', (row) => `inbound:${text(row, 'id')}`),
  sealed('inbound_evidence', 'notification', (row) => `evidence of ${text(row, 'fax_id')}`),
  sealed('work_item', 'history_end', (row) => `end of the history of ${text(row, 'id')}`),
];
