import { DESK_LIMITS } from '../desk.ts';
import { FIXED_WORDS } from '../fixed-words.ts';
import { LIMITS } from '../limits.ts';
import type { ErrorTable } from './error-table.ts';

/** Sent and received faxes, their documents and numbers. */
export const faxErrors = {
  invalid_fax_number: { status: 400, sentence: 'That fax number is incomplete or not valid.' },
  document_gone: {
    status: 404,
    sentence: 'The document was removed. Only the record of the fax remains.',
  },
  fax_removed: {
    status: 409,
    sentence: 'This fax was removed after its year was archived. The archive has it.',
  },
  document_unreadable: {
    status: 503,
    meaning: 'A document cannot be read right now; the sentence says why.',
  },
  document_damaged: {
    status: 500,
    sentence: 'The stored document is damaged. Restore it from a backup.',
  },
  document_invalid: { status: 400, meaning: 'A document cannot be faxed as it is; the sentence says why.' },
  document_too_large: { status: 413, meaning: 'A document has more pages or is larger than can be faxed.' },
  document_unsupported: { status: 415, meaning: 'Documents of this type cannot be faxed.' },

  no_such_cover: { status: 404, sentence: 'There is no such cover page.' },
  unknown_cover: { status: 400, sentence: 'There is no such cover page. Nothing was sent.' },
  cover_built_in: {
    status: 409,
    sentence: 'This cover page comes with Faxdesk and cannot be changed. Create one of your own.',
  },
  cover_name_taken: { status: 409, sentence: 'Another cover page already has this name.' },
  too_many_covers: { status: 409, sentence: 'There are 100 cover pages already. Remove one first.' },
  cover_refused: {
    status: 400,
    meaning: 'The cover page cannot be printed or kept as it is; the sentence says why.',
  },
  no_such_draft: { status: 404, sentence: 'There is no such draft.' },
  too_many_drafts: {
    status: 409,
    sentence: `You have ${DESK_LIMITS.drafts} saved drafts already. Delete one first. Nothing was saved.`,
  },
  drafts_too_large: {
    status: 413,
    sentence: `The documents of your saved drafts are larger than ${DESK_LIMITS.draftBytes / 1_000_000} MB in all. Delete a draft first. Nothing was saved.`,
  },
  no_print_password: { status: 404, sentence: 'You have no print password.' },
  print_passwords_of_people: {
    status: 403,
    sentence: 'Only people can have a print password. Sign in as a person.',
  },
  no_such_printed_document: {
    status: 404,
    sentence: 'This printed document is no longer there. It may have been taken, sent or discarded.',
  },
  too_many_printed: {
    status: 409,
    sentence: 'Too many printed documents wait on the Send screen. Send or discard some first.',
  },
  no_such_scanner: { status: 404, sentence: 'This scanner is not in the settings any longer.' },
  scanner_problem: {
    status: 502,
    meaning: 'The scanner cannot be used now; the sentence says why.',
  },
  no_such_scan: { status: 404, sentence: 'This scan is no longer there. Scan the pages again.' },
  scan_under_way: { status: 409, sentence: 'Wait until the scanner has finished.' },
  scan_without_pages: { status: 409, sentence: 'There are no scanned pages yet.' },
  too_many_scans: { status: 409, sentence: 'Too many scans are under way. Finish or discard one first.' },
  no_such_phrase: { status: 404, sentence: 'There is no such phrase.' },
  too_many_phrases: {
    status: 409,
    sentence: `You have ${DESK_LIMITS.phrases} phrases already. Delete one first. Nothing was saved.`,
  },
  header_name_refused: {
    status: 409,
    meaning: 'The caller cannot have a name of their own in the header line; the sentence says why.',
  },
  no_such_signature: { status: 404, sentence: 'There is no such signature or stamp.' },
  too_many_signatures: {
    status: 409,
    sentence: `You have ${DESK_LIMITS.pictures} signatures and stamps already. Remove one first. Nothing was saved.`,
  },
  signature_refused: {
    status: 400,
    meaning: 'The picture cannot be a signature or stamp; the sentence says why.',
  },
  signatures_of_people: {
    status: 403,
    sentence: 'Signatures and stamps belong to people. Sign in, or use an API key of a person.',
  },
  not_your_signature: {
    status: 403,
    sentence:
      'A signature or stamp on the pages is not yours, or it was removed. Take it off the page or place one of your own. Nothing was sent.',
  },
  no_such_broadcast: { status: 404, sentence: 'There is no such broadcast.' },
  broadcast_refused: {
    status: 409,
    meaning: 'The broadcast cannot be changed like this now; the sentence says why.',
  },
  unknown_merge_column: {
    status: 400,
    meaning:
      'A value of the cover page names a column that no line of the list has; the sentence names it. Nothing was sent.',
  },
  recipients_refused: {
    status: 400,
    meaning:
      'Lines of the list of recipients cannot be used; the sentence names the first ones. Nothing was sent.',
  },
  no_recipients: {
    status: 400,
    meaning: 'Nobody in the list of recipients can get a fax; the sentence says why.',
  },
  too_many_recipients: {
    status: 400,
    sentence: `A broadcast goes to at most ${LIMITS.broadcastRecipients.toLocaleString('en')} recipients. Split the list. Nothing was sent.`,
  },
  which_recipients: {
    status: 400,
    sentence: 'Name the recipients in exactly one way: "recipients", "recipients_file" or "tag".',
  },
  no_such_case: { status: 404, sentence: 'There is no such case.' },
  no_such_fax: { status: 404, sentence: 'There is no such fax.' },
  fax_archived: {
    status: 404,
    meaning: 'The fax was removed after its year was archived; the sentence names the archive.',
  },
  no_provider: { status: 409, sentence: FIXED_WORDS.noProvider },
  sending_is_on: {
    status: 409,
    sentence: 'Sending is on now. Reload the form and choose again how to send.',
  },
  sending_is_off: { status: 409, sentence: 'Sending is off. Turn it on first.' },
  which_mailbox: { status: 400, sentence: 'Choose which mailbox this fax is sent for.' },
  unknown_mailbox: { status: 400, sentence: 'That mailbox does not exist or is disabled.' },
  mailbox_refused: { status: 403, sentence: 'You cannot send for that mailbox, or it is disabled.' },
  mailbox_not_found: {
    status: 404,
    sentence: 'There is no enabled mailbox with that name where you can manage faxes.',
  },
  sender_withheld: {
    status: 409,
    sentence: 'This fax arrived without the sender’s number, so there is no number to block.',
  },
  sender_known: {
    status: 409,
    meaning:
      'The number belongs to a contact or to this installation, and `even_if_known` was not set; nothing was blocked.',
  },
  too_many_blocked_senders: {
    status: 409,
    sentence: `No more than ${LIMITS.blockedSenders.toLocaleString('en')} senders can be blocked. Unblock one first.`,
  },
  item_in_junk: {
    status: 409,
    sentence: 'This fax is in Junk. Choose “Not junk” first.',
  },
  already_in_mailbox: { status: 409, sentence: 'This fax is already in an enabled mailbox.' },
  no_mailbox: { status: 403, sentence: 'There is no enabled mailbox that you can send for.' },
  file_needed: { status: 400, sentence: 'Attach a file as "file", or name a preview in "preview_id".' },
  file_and_preview: {
    status: 400,
    sentence: 'Attach files, or name a preview in "preview_id", but not both. Nothing was sent.',
  },
  wrong_page_edits: {
    status: 400,
    sentence: 'Give the changes to the pages as one list for each file, or null for a file without changes.',
  },
  original_unchanged: {
    status: 404,
    sentence: 'The pages of this fax were sent as they were. There is no other original.',
  },
  wrong_titles: { status: 400, sentence: 'Enter a title for each file, or none.' },
  send_time_past: {
    status: 400,
    sentence: 'The scheduled time has passed. Choose a later one. Nothing was sent.',
  },
  send_time_too_far: {
    status: 400,
    meaning: 'A fax cannot be scheduled that far ahead; the sentence says how far.',
  },
  send_by_past: {
    status: 400,
    sentence: 'The latest time to send it has passed. Choose a later one. Nothing was sent.',
  },
  send_by_too_early: {
    status: 400,
    sentence: 'The latest time to send it must be after the scheduled time. Nothing was sent.',
  },
  send_by_before_hours: {
    status: 400,
    meaning: 'The hours in which the fax may be sent begin after its latest time; the sentence says when.',
  },
  no_cheap_hours: {
    status: 400,
    sentence: 'No cheap hours are set. Set them in Settings, or choose another time. Nothing was sent.',
  },
  invalid_idempotency_key: {
    status: 400,
    sentence: 'An Idempotency-Key has 1 to 128 visible ASCII characters.',
  },
  idempotency_key_reused: {
    status: 409,
    sentence: 'That Idempotency-Key was used for a different request.',
  },
  answer_lost: {
    status: 409,
    sentence:
      'The gateway stopped while it carried out this request. Read what it should have changed before you repeat it with another Idempotency-Key.',
  },
  acceptance_in_doubt: {
    status: 503,
    meaning: 'It is not certain that the fax was recorded; the same request with the same key is safe.',
  },
  preview_expired: {
    status: 404,
    sentence: 'There is no such preview, or it has expired. Attach the files again.',
  },
  preview_files_gone: {
    status: 409,
    sentence: 'The preview with these files has expired. Attach the files again. Nothing was sent.',
  },
  previews_under_way: {
    status: 429,
    sentence: 'Too many previews are being made at once; wait until one of them is ready and try again.',
  },
  page_not_drawn: { status: 503, sentence: 'The page is not ready yet. Try again in a moment.' },
  test_key_needed: { status: 403, sentence: 'Only a test key can ask for this test fax.' },
  test_fax_out_of_reach: {
    status: 403,
    sentence: 'The fax would arrive in a mailbox that this test key does not reach. Nothing was received.',
  },
  test_fax_of_key: {
    status: 409,
    sentence: 'A test key asked for this test fax. It stays where it is, and its sender cannot be blocked.',
  },
  not_scheduled: {
    status: 409,
    sentence: 'Only a fax that is still scheduled can be moved or sent now.',
  },
  not_held: { status: 409, sentence: 'Only a held fax can be released.' },
  over_spending_limit: {
    status: 403,
    sentence: 'A spending limit holds this fax. Only someone who can change spending limits can release it.',
  },
  too_late_to_cancel: {
    status: 409,
    sentence: 'It is too late to cancel this fax. It was already submitted or has finished.',
  },
  no_confirmation_needed: {
    status: 409,
    sentence: 'Only a fax that needs confirmation can be confirmed by a person.',
  },
  not_unreached: {
    status: 409,
    sentence: 'This fax did not fail because the number was busy or nobody answered. Send it again instead.',
  },
  not_ended: { status: 409, meaning: 'The fax has not ended, so it cannot be sent again yet.' },
  code_for_other_number: {
    status: 409,
    sentence: 'This page has the code of a partner, so it can be sent only to the number of that partner.',
  },
  never_submitted: { status: 409, sentence: 'This fax was never submitted.' },
  other_provider_fax: { status: 409, meaning: 'That ID belongs to a different fax at the provider.' },
  provider_refused: { status: 409, meaning: 'The fax provider refused; the sentence quotes its answer.' },
  provider_unavailable: { status: 503, meaning: 'The fax provider cannot be reached now.' },
  link_invalid: { status: 403, sentence: 'That link is not valid or has expired.' },
  link_without_token: {
    status: 403,
    sentence:
      'This link works only with its token. With an API key, get the document from GET /fax/{id}/document.',
  },
  not_current_attempt: { status: 409, sentence: 'This is not the current attempt of the fax.' },

  receiving_off: { status: 404, sentence: 'Receiving is off. Turn it on first.' },
  no_original: {
    status: 404,
    sentence:
      'There is no original of this fax: its pages carry none, or it was not recovered or was removed.',
  },
  no_such_received_fax: { status: 404, sentence: 'There is no such received fax.' },
  not_received_yet: { status: 404, sentence: FIXED_WORDS.documentNotReceivedYet },
  wrong_page_count: {
    status: 400,
    sentence:
      'Enter fewer pages than the document has. If every page arrived, record the fax as delivered. Nothing was changed.',
  },
  no_such_page: { status: 404, meaning: 'The document has no such page; the sentence says how many it has.' },
  already_received: { status: 409, sentence: 'The document is already here. There is nothing to fetch.' },
  account_gone: { status: 404, sentence: 'The account this fax came through is no longer set up.' },
  no_inbound_secret: { status: 401, sentence: 'There is no inbound secret yet.' },
  image_refused: {
    status: 400,
    meaning: 'The image of a received fax cannot be accepted; the sentence says why.',
  },
  telephony_not_set_up: {
    status: 409,
    meaning:
      'The configuration of the telephone engine cannot be written; the sentence says what is missing or wrong.',
  },
  manifest_unreadable: {
    status: 400,
    meaning: 'The manifest of an import is missing or not valid; the sentence says why.',
  },
  import_not_pdf: {
    status: 400,
    meaning: 'The file of an import is not a PDF whose pages can all be read; the sentence says why.',
  },
  import_conflict: {
    status: 409,
    sentence:
      'This operation ID and revision were imported before with another document. The first one is kept.',
  },
  look_up_failed: {
    status: 503,
    sentence: 'The fax cannot be looked up now; send the notification again.',
  },
  document_not_stored: {
    status: 503,
    sentence: 'The document cannot be stored now; send the notification again.',
  },

  no_such_legal_hold: { status: 404, sentence: 'There is no such legal hold.' },
  legal_hold_refused: {
    status: 400,
    meaning: 'The legal hold cannot be placed like this; the sentence says why.',
  },
  kept_for_legal_hold: {
    status: 409,
    meaning: 'A legal hold keeps what would be deleted or replaced; the sentence names the hold.',
  },
  legal_hold_released: { status: 409, sentence: 'This legal hold was released before.' },
  no_such_contact: { status: 404, sentence: 'There is no such contact.' },
  contact_number_taken: { status: 409, sentence: 'Another contact already has this number.' },
  invalid_voice_number: { status: 400, sentence: 'That phone number is incomplete or not valid.' },
  unknown_contact_mailbox: {
    status: 400,
    sentence: 'There is no such mailbox, or you do not see it.',
  },
  contacts_not_mergeable: {
    status: 409,
    meaning: 'The two contacts cannot become one; the sentence says why. Nothing was changed.',
  },
  contact_file_refused: {
    status: 400,
    meaning: 'The contacts file cannot be imported; the sentence says why.',
  },
  directory_unavailable: {
    status: 503,
    meaning: 'The office directory cannot be searched; the sentence says why.',
  },
  shared_key_missing: {
    status: 409,
    sentence:
      'Faxes to this number are sent encrypted, and the contact has no shared key. Add the key to the contact first. Nothing was sent.',
  },
  encrypted_pages_only: {
    status: 409,
    sentence:
      'Faxes to this number are sent encrypted only, so ordinary pages cannot be sent to it. Nothing was sent.',
  },
  too_many_encoded_pages: {
    status: 409,
    meaning: 'The document needs more encrypted pages than one fax may have.',
  },
  number_blocked: {
    status: 409,
    sentence: 'Faxes to this number are blocked in the contacts. Nothing was sent.',
  },

  guard_refused: {
    status: 409,
    meaning:
      'With `guard=refuse`: something about the number or the document is refused or needs an answer; the sentence says what.',
  },

  no_such_delivery_route: { status: 404, sentence: 'There is no such route.' },
  unknown_delivery_route: { status: 400, sentence: 'There is no such route.' },
  delivery_route_refused: {
    status: 400,
    meaning: 'The route cannot be set up like this; the sentence says why.',
  },
  no_such_rate_card: { status: 404, sentence: 'There is no such rate card.' },
  unknown_backend: { status: 400, sentence: 'There is no provider of that name.' },
  rate_card_empty: { status: 400, sentence: 'Enter at least one price: per page, minute, fax or month.' },
  no_spending_currency: {
    status: 409,
    sentence: 'Choose the currency of spending limits in the settings first.',
  },
  rate_prefix_taken: {
    status: 409,
    sentence:
      'Another rate card of this provider has these numbers. Change that one, or enter other prefixes.',
  },

  no_such_mail_sender: { status: 404, sentence: 'There is no such sender.' },
  mail_sender_refused: {
    status: 409,
    meaning: 'The address cannot be allowed to send faxes like this; the sentence says why.',
  },
  no_such_connector: { status: 404, sentence: 'There is no such e-mail connector.' },
  connector_refused: {
    status: 400,
    meaning: 'The e-mail connector cannot be set up like this; the sentence says why.',
  },
  no_such_delivery: { status: 404, sentence: 'There is no such e-mail delivery.' },
  delivery_not_retried: {
    status: 409,
    meaning:
      'The e-mail is not sent again because it was delivered or may have been; the sentence says which.',
  },
  delivery_certain: {
    status: 409,
    sentence: 'Only an e-mail that needs a check can be confirmed.',
  },
  no_such_print_rule: { status: 404, sentence: 'There is no such print rule.' },
  print_rule_refused: {
    status: 400,
    meaning: 'The print rule cannot be set up like this; the sentence says why.',
  },
  no_such_printout: { status: 404, sentence: 'There is no such printout.' },
  printout_not_retried: {
    status: 409,
    meaning: 'The fax is not printed again because it was printed or may have been; the sentence says which.',
  },
  printout_settled: {
    status: 409,
    sentence: 'There is nothing to decide about this printout.',
  },

  no_such_work_item: { status: 404, sentence: 'There is no such work item.' },
  work_item_changed: { status: 409, sentence: FIXED_WORDS.workItemChanged },
  not_your_item: { status: 403, sentence: 'Only the owner of this item can acknowledge it.' },
  item_of_another: {
    status: 403,
    sentence: 'Only the owner of this item, or someone who manages work here, can mark it as done.',
  },
  note_refused: {
    status: 403,
    sentence: 'Only the owner of this item, or someone who manages work here, can add a note to it.',
  },
  item_acknowledged: { status: 409, sentence: 'This item is already acknowledged.' },
  calendar_span: {
    status: 400,
    sentence: `Choose at most ${LIMITS.calendarDays} days, with the last not before the first.`,
  },
  wrong_span: { status: 400, sentence: 'Choose at most 366 days, with the end after the beginning.' },
  item_done: { status: 409, sentence: 'This item is already done. Reopen it first.' },
  item_not_done: { status: 409, sentence: 'Only an item that is done can be reopened.' },
  not_undoable: {
    status: 409,
    sentence: 'You can undo only your own last change to an item, within 10 seconds.',
  },
  assignee_refused: {
    status: 400,
    meaning: 'The item cannot be assigned to someone who cannot see it; the sentence says who.',
  },
} as const satisfies ErrorTable;
