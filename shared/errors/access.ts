import type { ErrorTable } from './error-table.ts';

/** Sign-in, sessions and keys; people, groups, roles, assignments, mailboxes and devices. */
export const accessErrors = {
  wrong_sign_in: { status: 401, sentence: 'The sign-in name or password is not correct.' },
  wrong_sign_in_code: { status: 401, sentence: 'That code is not correct or was already used.' },
  code_needed: { status: 401, sentence: 'Enter the code from your authenticator app.' },
  passkey_needed: { status: 401, sentence: 'Use your passkey, or enter a recovery code.' },
  code_or_passkey_needed: {
    status: 401,
    sentence: 'Enter the code from your authenticator app, or use your passkey.',
  },
  wrong_passkey: {
    status: 401,
    sentence: 'That passkey was not accepted. Try again, or sign in another way.',
  },
  wrong_pin: { status: 401, sentence: 'That PIN is not correct.' },
  pins_used_up: { status: 401, sentence: 'Too many wrong PINs. Sign in with your password.' },
  pin_not_here: {
    status: 401,
    sentence: 'Sign in with your password once. After that, your PIN works here for 30 days.',
  },
  card_not_here: {
    status: 401,
    sentence:
      'That card is not known here. Sign in with your password once, and check your card in My sign-in.',
  },
  card_needs_pin: {
    status: 401,
    sentence: 'You sign in with two factors, and a card is one. Use your PIN or password.',
  },
  quick_sign_in_off: { status: 409, sentence: 'Your office does not allow that. An owner can, in Settings.' },
  pin_too_simple: { status: 400, sentence: 'That PIN is too easy to guess. Choose other digits.' },
  card_taken: { status: 409, sentence: 'That is the card of another person.' },
  password_too_long_ago: { status: 401, sentence: 'That took too long. Enter your password again.' },
  passkey_refused: { status: 403, sentence: 'That passkey was not accepted.' },
  second_factor_missing: { status: 403, sentence: 'Confirm with a code or a passkey as well.' },
  passkey_needs_name: {
    status: 409,
    sentence:
      'Passkeys do not work with an IP address. Open Faxdesk by its name. On the Faxdesk computer, use localhost.',
  },
  passkey_needs_https: {
    status: 409,
    sentence: 'Passkeys need HTTPS, or localhost on the Faxdesk computer.',
  },
  no_passkey_here: { status: 409, sentence: 'You have no passkey for this address of Faxdesk.' },
  passkey_not_begun: {
    status: 409,
    sentence: 'That took too long or was already used. Start adding the passkey again.',
  },
  passkey_known: { status: 409, sentence: 'That passkey was already added.' },
  too_many_passkeys: { status: 409, sentence: 'You already have 10 passkeys. Remove one first.' },
  no_such_passkey: { status: 404, sentence: 'There is no such passkey.' },
  too_many_codes: {
    status: 429,
    meaning: 'Too many wrong codes for that person today; the sentence says when to try again.',
  },
  key_needs_two_factor: {
    status: 403,
    sentence: 'A role of that key requires a second factor: sign in with name, password and code.',
  },
  test_key_signs_in: {
    status: 403,
    sentence: 'A test key is for programs. Sign in with a person’s name and password.',
  },
  test_key_permission: {
    status: 400,
    sentence: 'A test key can have only permissions for sent and received faxes.',
  },
  key_expired: { status: 401, sentence: 'That API key has expired.' },
  key_revoked: { status: 401, sentence: 'That API key was revoked.' },
  key_maker_left: {
    status: 401,
    sentence:
      'The person who made that API key was disabled seven days ago. Someone who manages API keys can take it over.',
  },
  key_not_approved: {
    status: 401,
    sentence:
      'That API key is from an earlier release. It works once someone who manages API keys approves it.',
  },
  session_ended: { status: 401, sentence: 'That session has ended; sign in again.' },
  other_page: { status: 401, sentence: 'That session belongs to another page; sign in on this one.' },
  origin_missing: {
    status: 403,
    sentence: 'Sign-in works only from the console, and this request has no origin.',
  },
  origin_refused: { status: 403, sentence: 'Requests from that origin are not allowed.' },
  insecure_sign_in: {
    status: 403,
    sentence:
      'Signing in from another computer needs HTTPS, which is turned on under Settings > Other computers on the computer where Faxdesk runs.',
  },
  wrong_csrf_token: { status: 403, sentence: 'The CSRF token is missing or wrong; reload the page.' },
  session_needed: { status: 403, sentence: 'This needs a browser session.' },
  password_session_needed: { status: 403, sentence: 'This needs a session that began with a password.' },
  wrong_password: { status: 403, sentence: 'The current password is not correct.' },
  wrong_code: { status: 403, sentence: 'That code is not correct or was already used.' },
  password_length: { status: 400, sentence: 'A password has 12 to 1,024 characters.' },
  password_is_login: { status: 400, sentence: 'The password must not be the sign-in name.' },
  password_too_common: { status: 400, sentence: 'That password is too easy to guess; choose another.' },
  password_is_name: {
    status: 400,
    sentence: 'That password is your name or the name of the organization; choose another.',
  },
  password_is_season: {
    status: 400,
    sentence: 'A season, month or day with numbers is easy to guess; choose another password.',
  },
  temporary_password_ended: {
    status: 401,
    sentence:
      'That temporary password expired after 72 hours. Ask the person who manages access for a new one.',
  },
  password_unchanged: { status: 400, sentence: 'The new password must differ from the current one.' },
  two_factor_on: { status: 409, sentence: 'The second factor is already on.' },
  two_factor_off: { status: 409, sentence: 'The second factor is off.' },
  two_factor_not_begun: { status: 409, sentence: 'Request a secret first.' },
  two_factor_required: {
    status: 409,
    sentence: 'Your role requires a second factor, so it cannot be turned off.',
  },
  half_cursor: { status: 400, sentence: 'Send cursor_time and cursor_id together.' },
  no_such_session: { status: 404, sentence: 'There is no such session.' },
  no_such_key: { status: 404, sentence: 'There is no such API key.' },
  key_not_active: { status: 409, sentence: 'Only an active API key can be given another secret.' },
  key_revoked_already: { status: 409, sentence: 'That API key was revoked.' },
  key_awaits_approval: {
    status: 409,
    sentence:
      'That API key is from an earlier release. It works once someone who manages API keys approves it.',
  },
  key_not_waiting: { status: 409, sentence: 'That API key is not waiting for approval.' },
  key_owner_disabled: { status: 409, sentence: 'That person or integration is disabled.' },
  no_such_permission: { status: 400, sentence: 'There is no such permission.' },
  no_such_key_resource: {
    status: 400,
    sentence: 'There is no such mailbox or fax for an API key.',
  },
  permission_repeated: {
    status: 400,
    sentence: 'An API key can have the same permission for the same resource only once.',
  },
  expiry_past: { status: 400, sentence: 'The expiry of the API key must be in the future.' },
  key_exceeds_maker: {
    status: 403,
    sentence: 'You can give an API key only permissions that you have yourself.',
  },
  owner_exists: { status: 409, sentence: 'This installation already has an owner.' },
  last_owner: { status: 409, sentence: 'One enabled owner must remain.' },
  login_taken: { status: 409, sentence: 'That sign-in name is taken.' },
  grant_exceeds_giver: {
    status: 403,
    sentence: 'You can give only permissions that you have there yourself.',
  },
  person_holds_more: {
    status: 403,
    sentence:
      'That person has permissions that you do not have. Only someone with all of them can change this.',
  },
  group_gives_more: {
    status: 403,
    sentence:
      'That group has permissions that you do not have. Only someone with all of them can change this.',
  },
  role_gives_more: {
    status: 403,
    sentence:
      'That role gives permissions that you do not have there. Only someone with all of them can change this.',
  },
  key_holds_more: {
    status: 403,
    sentence:
      'That API key has permissions that you do not have. Only someone with all of them can change this.',
  },
  faxes_not_seen: {
    status: 403,
    sentence:
      'You cannot see all the faxes that this affects. Only someone with permission to list, read and open them can change their mailbox.',
  },
  integration_cannot_sign_in: {
    status: 400,
    sentence: 'An integration has no sign-in name and no password; it signs in with API keys.',
  },
  installation_key_fixed: { status: 400, sentence: 'The installation key cannot be changed here.' },
  no_such_person: { status: 404, sentence: 'There is no such person or integration.' },
  no_such_group: { status: 404, sentence: 'There is no such group.' },
  no_such_member: { status: 404, sentence: 'That person is not in the group.' },
  already_member: { status: 409, sentence: 'That person is already in the group.' },
  no_such_role: { status: 404, sentence: 'There is no such role.' },
  role_disabled: {
    status: 409,
    sentence: 'That role is disabled; enable it before you give it to anyone.',
  },
  built_in_role: {
    status: 409,
    sentence: 'A built-in role cannot be changed, except for its second factor.',
  },
  no_such_assignment: { status: 404, sentence: 'There is no such assignment.' },
  already_assigned: { status: 409, sentence: 'That role is already given there.' },
  no_such_resource: { status: 404, sentence: 'There is no such mailbox or fax to give a role on.' },
  no_mailbox_resource: {
    status: 400,
    sentence: 'Faxes in no mailbox can be seen only by people with access to everything.',
  },
  name_taken: { status: 409, sentence: 'That name is taken.' },
  no_such_mailbox: { status: 404, sentence: 'There is no such mailbox.' },
  no_such_number_rule: { status: 404, sentence: 'There is no such number rule.' },
  number_taken: { status: 409, sentence: 'Faxes to that number are filed by another rule.' },
  pairing_refused: { status: 403, sentence: 'That code is not valid. Get a new one.' },
} as const satisfies ErrorTable;
