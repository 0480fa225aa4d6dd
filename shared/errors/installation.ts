import type { ErrorTable } from './error-table.ts';

/** Settings, backups and what else belongs to the installation. */
export const installationErrors = {
  invalid_settings: {
    status: 422,
    meaning: 'A name or value is not valid; `detail` lists the fields. Nothing was saved.',
  },
  secrets_elsewhere: {
    status: 422,
    sentence:
      'Saved secrets are not sent to another address. Change the address and enter the secrets together.',
  },
  setting_opens_more: {
    status: 403,
    meaning:
      'A setting, an e-mail connector, the account of a route or the daily summary needs a permission that the caller does not have; the sentence names both.',
  },
  no_such_webhook: { status: 404, sentence: 'There is no such webhook.' },
  no_such_webhook_delivery: { status: 404, sentence: 'There is no such webhook delivery.' },
  webhook_refused: {
    status: 400,
    meaning: 'The webhook cannot be set up like this; the sentence says why.',
  },
  webhook_off: {
    status: 409,
    meaning: 'Nothing is sent to the webhook because it, or all webhooks, are off; the sentence says which.',
  },
  no_such_provider: { status: 404, sentence: 'There is no such fax provider.' },
  no_such_backup: { status: 404, sentence: 'There is no such backup.' },
  backup_running: { status: 409, sentence: 'A backup is already being made.' },
  archive_not_over: {
    status: 409,
    sentence: 'That time is not over yet. An archive contains a year or month that is over.',
  },
  archive_piece_misplaced: {
    status: 409,
    sentence:
      'This piece does not follow the ones before it. Hand the archive over again from its beginning.',
  },
  archive_no_room: {
    status: 507,
    sentence:
      'The disk has too little room for the archive. Nothing was removed. Free up space and try again.',
  },
  no_such_archive_upload: {
    status: 404,
    sentence: 'There is no such archive on this gateway. Hand it over again.',
  },
  no_such_archive_removal: { status: 404, sentence: 'There is no such removal.' },
  archive_removal_running: {
    status: 409,
    sentence: 'Archived faxes are being removed or checked already. Wait for it, or stop it first.',
  },
  no_bucket: {
    status: 409,
    sentence: 'No bucket is named in the settings, so there is nothing to check, move or take over.',
  },
  data_key_not_replaced: {
    status: 409,
    meaning: 'The data key cannot be replaced now; the sentence says why. Nothing was changed.',
  },
  restore_not_here: {
    status: 409,
    sentence: 'A backup cannot be restored from here. Stop Faxdesk and use faxdesk restore.',
  },
  terminal_off: { status: 409, sentence: 'The console terminal is turned off in Settings.' },
  too_many_terminals: {
    status: 409,
    sentence: 'Too many terminals are open. Close one and try again.',
  },
  no_such_terminal: { status: 404, sentence: 'That terminal has ended. Open a new one.' },
  upgrade_under_way: {
    status: 409,
    sentence: 'An earlier installation is being checked. Wait for its report.',
  },
  upgrade_not_here: {
    status: 409,
    sentence: 'An earlier installation cannot be moved over from here. Stop Faxdesk and use faxdesk upgrade.',
  },
  backup_not_opened: {
    status: 422,
    meaning:
      'The backup is encrypted, and no identity was given, it is another one, or the file is damaged; the sentence says which. Nothing was changed.',
  },
  backup_unfinished: { status: 409, sentence: 'This backup is still being made.' },
  folder_not_allowed: {
    status: 422,
    meaning:
      'A file or folder in the settings is in a place where Faxdesk is not allowed to write; the sentence says what to do.',
  },
  backup_folder_unusable: {
    status: 409,
    meaning: 'The backup folder cannot be created or is not allowed; the sentence says why.',
  },
  no_root_certificate: { status: 404, sentence: 'This gateway does not have its own root certificate.' },
  console_not_built: {
    status: 503,
    sentence: 'The console is not built yet; run npm start or npm run serve.',
  },
} as const satisfies ErrorTable;
