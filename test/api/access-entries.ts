/** What a route answers to who may do it. The request is about what exists, with a body that fits nothing. */
export interface Entry {
  readonly right: number;
  /** To who may do it on another mailbox only; left out where that is refused like any other permission. */
  readonly elsewhere?: number;
}

const LISTS: Entry = { right: 200, elsewhere: 200 };
const HIDDEN: Entry = { right: 200, elsewhere: 404 };
const READS: Entry = { right: 200 };
const BAD_BODY: Entry = { right: 400 };
/** What a body lacks is said before what it is about is looked for. */
const BAD_BODY_ANYWHERE: Entry = { right: 400, elsewhere: 400 };
const BAD_BODY_LIST: Entry = { right: 422 };
const NO_FORM: Entry = { right: 415, elsewhere: 415 };
const OWN_PREVIEW: Entry = { right: 404, elsewhere: 404 };
const NO_BACKUP: Entry = { right: 404 };
/** For people who signed in with a password, or in a browser; the test comes with a key. */
const NOT_FOR_KEYS: Entry = { right: 403 };

/** Every route that wants a credential. */
export const ENTRIES: Readonly<Record<string, Entry>> = {
  'POST /fax': NO_FORM,
  'GET /fax': LISTS,
  'GET /fax/counts': LISTS,
  'GET /fax/numbers': LISTS,
  'GET /fax/numbers/check': BAD_BODY_ANYWHERE,
  'POST /fax/preview': NO_FORM,
  'GET /fax/preview/:id': OWN_PREVIEW,
  'POST /fax/preview/:id/redraw': BAD_BODY_ANYWHERE,
  'DELETE /fax/preview/:id': OWN_PREVIEW,
  'GET /fax/preview/:id/:page.png': OWN_PREVIEW,
  'GET /fax/:id': HIDDEN,
  'POST /fax/:id/release': BAD_BODY_ANYWHERE,
  'POST /fax/:id/cancel': BAD_BODY_ANYWHERE,
  'POST /fax/:id/reconcile': BAD_BODY_ANYWHERE,
  'POST /fax/:id/resend': BAD_BODY_ANYWHERE,
  'POST /fax/:id/refresh': HIDDEN,
  'GET /fax/:id/history': HIDDEN,
  'GET /fax/:id/document': HIDDEN,
  'GET /fax/:id/report': HIDDEN,
  'GET /admin/fax-jobs': LISTS,
  'GET /admin/fax-jobs/:id': HIDDEN,
  'GET /admin/fax-jobs/:id/pdf': HIDDEN,
  'POST /admin/fax-jobs/:id/refresh': HIDDEN,

  'GET /inbound': LISTS,
  'GET /inbound/page': LISTS,
  'GET /inbound/counts': LISTS,
  'GET /inbound/:id': HIDDEN,
  'GET /inbound/:id/pdf': HIDDEN,
  'GET /inbound/:id/pages/:page.png': HIDDEN,
  'GET /inbound/:id/evidence': HIDDEN,
  'PUT /inbound/:id/read': BAD_BODY_ANYWHERE,
  'GET /inbound/:id/move': HIDDEN,
  'POST /inbound/:id/move': BAD_BODY_ANYWHERE,
  'POST /inbound/apply-rules': READS,
  'POST /inbound/:id/fetch': { right: 409 },
  'POST /inbound/test': BAD_BODY,
  'POST /inbound/recover': { right: 202 },
  'POST /admin/inbound/simulate': BAD_BODY,

  'GET /auth/me': READS,
  'GET /auth/context': READS,
  'POST /auth/password': BAD_BODY_LIST,
  'POST /auth/logout': NOT_FOR_KEYS,
  'GET /auth/sessions': READS,
  'POST /auth/sessions/:session_id/revoke': BAD_BODY_LIST,
  'POST /auth/owner/enroll': BAD_BODY_LIST,
  'GET /auth/two-factor': NOT_FOR_KEYS,
  'POST /auth/two-factor/begin': BAD_BODY,
  'POST /auth/two-factor/confirm': BAD_BODY,
  'POST /auth/two-factor/recovery-codes': BAD_BODY,
  'POST /auth/two-factor/remove': BAD_BODY,

  'GET /access/users': READS,
  'POST /access/users': BAD_BODY,
  'GET /access/users/:id': READS,
  'PATCH /access/users/:id': BAD_BODY,
  'POST /access/users/:id/reset-password': BAD_BODY,
  'POST /access/users/:id/reset-two-factor': BAD_BODY,
  'GET /access/integrations': READS,
  'POST /access/integrations': BAD_BODY,
  'PATCH /access/integrations/:id': BAD_BODY,
  'GET /access/groups': READS,
  'POST /access/groups': BAD_BODY,
  'GET /access/groups/:id': READS,
  'PATCH /access/groups/:id': BAD_BODY,
  'POST /access/groups/:id/members': BAD_BODY,
  'POST /access/groups/:id/members/:membership_id/remove': BAD_BODY,
  'GET /access/roles': READS,
  'POST /access/roles': BAD_BODY,
  'GET /access/roles/:id': READS,
  'PATCH /access/roles/:id': BAD_BODY,
  'GET /access/permissions': READS,
  'GET /access/assignments': READS,
  'POST /access/assignments': BAD_BODY,
  'POST /access/assignments/:id/remove': BAD_BODY,
  'GET /access/resources': READS,
  'GET /access/keys': READS,
  'POST /access/keys': BAD_BODY,
  'PATCH /access/keys/:key_id': BAD_BODY,
  'POST /access/keys/:key_id/rotate': BAD_BODY,
  'POST /access/keys/:key_id/replace': BAD_BODY,
  'POST /access/keys/:key_id/revoke': BAD_BODY,
  'POST /access/keys/:key_id/approve': BAD_BODY,
  'GET /access/mailboxes': READS,
  'POST /access/mailboxes': BAD_BODY,
  'PATCH /access/mailboxes/:id': BAD_BODY,
  'GET /access/inbound-rules': READS,
  'POST /access/inbound-rules': BAD_BODY,
  'PATCH /access/inbound-rules/:id': BAD_BODY,
  'POST /access/inbound-rules/:id/remove': BAD_BODY,
  'GET /access/sessions': READS,
  'POST /access/sessions/:session_id/revoke': BAD_BODY,
  'GET /access/audit': READS,
  'GET /access/audit/export': READS,
  'GET /admin/api-keys': READS,
  'POST /admin/api-keys': BAD_BODY_LIST,
  'DELETE /admin/api-keys/:keyId': READS,
  // The key of the test is a revoked one.
  'POST /admin/api-keys/:keyId/rotate': { right: 409 },
  'POST /admin/tunnel/pair': BAD_BODY,

  'GET /admin/settings': READS,
  'PUT /admin/settings': BAD_BODY_LIST,
  'POST /admin/settings/validate': BAD_BODY_LIST,
  'GET /admin/settings/revisions': READS,
  'POST /admin/settings/persist': READS,
  'GET /console/events': READS,
  'GET /console/changes': READS,
  'GET /console/installation': READS,
  'POST /console/callback-addresses/:backend': { right: 404 },
  'GET /console/status': READS,
  'GET /console/https': READS,
  'GET /console/logs': READS,
  'GET /console/logs/file': READS,
  'GET /console/backups': READS,
  'POST /console/backups': { right: 202 },
  'GET /console/backups/:name': NO_BACKUP,
  'GET /console/backups/:name/file': NO_BACKUP,
  'DELETE /console/backups/:name': NO_BACKUP,
  'GET /metrics': READS,
};
