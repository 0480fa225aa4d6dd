import type { ErrorTable } from './error-table.ts';

/** Refusals that are possible for any request, whatever its subject. */
export const httpErrors = {
  sign_in_required: { status: 401, sentence: 'Sign in or send an API key.' },
  invalid_credential: { status: 401, sentence: 'That key or signature is not valid.' },
  not_allowed: { status: 403, sentence: 'You do not have permission to do that.' },
  no_such_address: { status: 404, sentence: 'There is nothing at this address.' },
  address_removed: {
    status: 410,
    meaning: 'This part was removed; the sentence says what to use instead.',
  },
  method_not_allowed: { status: 405, sentence: 'This address does not support that method.' },
  request_timeout: { status: 408, sentence: 'The request took too long to arrive.' },
  unknown_host: {
    status: 421,
    sentence: 'This host name is not set up for Faxdesk. Add it in Settings as the public address.',
  },
  headers_too_long: { status: 431, sentence: 'The headers are too long.' },
  range_not_satisfiable: {
    status: 416,
    sentence: 'The document ends before that part; its size is in Content-Range.',
  },
  rate_limited: { status: 429, sentence: 'Too many requests; wait a moment and try again.' },
  too_large: { status: 413, sentence: 'The upload is larger than the limit.' },
  unreadable_request: {
    status: 400,
    sentence:
      'The request could not be read. Send it whole, as JSON or a form in UTF-8 without NUL characters.',
  },
  json_expected: { status: 415, sentence: 'Send the body as application/json.' },
  form_expected: { status: 415, sentence: 'Send the form as multipart/form-data.' },
  invalid_request: {
    status: 400,
    meaning: 'A field of the request is not valid; the sentence says which one and why.',
  },
  invalid_body: { status: 422, meaning: 'The body does not match its schema; `detail` lists the fields.' },
  too_many_parts: { status: 400, meaning: 'The form has more files or fields than fit in one request.' },
  wrong_files: {
    status: 400,
    meaning: 'A file is missing, there is one file too many, or a file field has an unknown name.',
  },
  invalid_cursor: { status: 400, sentence: 'That cursor is not valid; start again from the first page.' },
  stale: { status: 409, sentence: 'This changed in the meantime; reload and try again.' },
  storage_unavailable: {
    status: 503,
    meaning: 'A document cannot be stored in the object storage right now; the sentence says why.',
  },
  disk_full: {
    status: 507,
    sentence: 'The disk is full. Nothing was recorded. Free up space and try again.',
  },
  database_damaged: {
    status: 503,
    sentence:
      'The database is damaged, so Faxdesk writes nothing to it. Restore a backup: see System > Backups.',
  },
  database_read_only: {
    status: 503,
    sentence:
      'Faxdesk cannot write to its database. Nothing was recorded. Ask the person who manages Faxdesk to check its data folder.',
  },
  disk_failing: {
    status: 503,
    sentence: 'The disk of Faxdesk reports errors. Try again. If the errors continue, check the disk.',
  },
  database_away: { status: 503, sentence: 'The database is not responding. Try again in a moment.' },
  database_connections_refused: {
    status: 503,
    sentence: 'The database accepts no more connections. Try again in a moment.',
  },
  database_connections_in_use: {
    status: 503,
    sentence: 'All database connections of this gateway are in use. Try again in a moment.',
  },
  files_unavailable: {
    status: 503,
    sentence: 'Faxdesk cannot open its files right now. Try again in a minute; the log has the details.',
  },
  files_not_allowed: {
    status: 503,
    sentence:
      'Faxdesk is not allowed to use its files. Nothing was recorded. Ask the person who manages Faxdesk to check the permissions of its data folder.',
  },
  files_read_only: {
    status: 503,
    sentence:
      'The disk of Faxdesk is read-only right now. Nothing was recorded. Ask the person who manages Faxdesk to make it writable.',
  },
  other_data_key: {
    status: 503,
    sentence:
      'This needs data that was encrypted with another data key. Put the right data key back and start Faxdesk again.',
  },
  internal_error: {
    status: 500,
    meaning: 'Something went wrong; the log has the details under the request id.',
  },
  not_ready: { status: 503, meaning: 'The gateway cannot accept faxes now; `problems` lists the reasons.' },
  too_busy: { status: 503, sentence: 'Too many requests at once. Send it again in a minute.' },
  stopping: { status: 503, sentence: 'The gateway is stopping.' },
} as const satisfies ErrorTable;
