import type { ErrorTable } from './error-table.ts';

/** Refusals that are possible for any request, whatever its subject. */
export const httpErrors = {
  sign_in_required: { status: 401, sentence: 'Sign in or send an API key.' },
  invalid_credential: { status: 401, sentence: 'That key or signature is not valid.' },
  not_allowed: { status: 403, sentence: 'You may not do that here.' },
  no_such_address: { status: 404, sentence: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, sentence: 'This address does not support that method.' },
  request_timeout: { status: 408, sentence: 'The request took too long to arrive.' },
  unknown_host: {
    status: 421,
    sentence: 'Faxdesk is not known by that host name. Set its address as the public address.',
  },
  headers_too_long: { status: 431, sentence: 'The headers are too long.' },
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
    meaning: 'A field of the request does not fit; the sentence says which and how.',
  },
  invalid_body: { status: 422, meaning: 'The body does not fit its schema; `detail` lists the fields.' },
  too_many_parts: { status: 400, meaning: 'The form has more files or fields than fit in one request.' },
  wrong_files: {
    status: 400,
    meaning: 'A file is missing, is one too many, or has the name of no file field.',
  },
  invalid_cursor: { status: 400, sentence: 'That cursor is not valid; start again from the first page.' },
  stale: { status: 409, sentence: 'This changed in the meantime; reload and try again.' },
  disk_full: {
    status: 507,
    sentence: 'The disk is full. Nothing was recorded. Free up space and try again.',
  },
  database_damaged: {
    status: 503,
    sentence:
      'The database is damaged, so Faxdesk writes nothing to it. Restore a backup: System > Backups says how.',
  },
  database_read_only: {
    status: 503,
    sentence:
      'Faxdesk may not write to its database. Nothing was recorded. Ask the person who looks after Faxdesk to check its data folder.',
  },
  disk_failing: {
    status: 503,
    sentence: 'The disk of Faxdesk reports errors. Try again; if they go on, check the disk.',
  },
  database_away: { status: 503, sentence: 'The database is not responding. Try again in a moment.' },
  files_unavailable: {
    status: 503,
    sentence: 'Faxdesk cannot open its files at present. Try again in a minute; the log has the details.',
  },
  files_not_allowed: {
    status: 503,
    sentence:
      'Faxdesk is not allowed to use its files. Nothing was recorded. Ask the person who looks after Faxdesk to check who may open its data folder.',
  },
  files_read_only: {
    status: 503,
    sentence:
      'The disk of Faxdesk can only be read at present. Nothing was recorded. Ask the person who looks after Faxdesk to make it writable.',
  },
  other_data_key: {
    status: 503,
    sentence:
      'This needs data that was sealed with another data key. Put the right data key back and start Faxdesk again.',
  },
  internal_error: {
    status: 500,
    meaning: 'Something went wrong; the log has the details under the request id.',
  },
  not_ready: { status: 503, meaning: 'The gateway cannot take faxes now; `problems` says why.' },
  too_busy: { status: 503, sentence: 'Too many requests at once. Send it again in a minute.' },
  stopping: { status: 503, sentence: 'The gateway is stopping.' },
} as const satisfies ErrorTable;
