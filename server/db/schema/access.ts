import type { PrincipalKind, SessionSource } from '../../../shared/states/access.ts';

type Flag = 0 | 1;

export interface PrincipalTable {
  id: string;
  kind: PrincipalKind;
  /** Lower case; null for integrations and the installation key. */
  login: string | null;
  display_name: string;
  /** Name and login as a search looks at them. */
  search_text: string;
  enabled: Flag;
  password_hash: string | null;
  password_change_required: Flag;
  /** Expiry of a temporary password; null for one that its owner chose. */
  temporary_until: string | null;
  /** Sealed secret of the authenticator app; null while the second factor is off. */
  totp_secret: string | null;
  /** Sealed secret that was not confirmed yet. */
  totp_pending: string | null;
  /** The time step of the last code that was used: no code opens twice. */
  totp_last_step: number | null;
  /** Since when there are passkeys; null without any. */
  passkeys_since: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Signs in once instead of a code of the authenticator app. */
interface RecoveryCodeTable {
  principal_id: string;
  code_hash: string;
  used_at: string | null;
}

export interface RoleTable {
  id: string;
  name: string;
  description: string;
  built_in: Flag;
  /** Carries the scopes of one API key's own integration; no screen lists it and nobody edits it. */
  hidden: Flag;
  enabled: Flag;
  /** Whoever holds it may do nothing before they set up a second factor. */
  requires_two_factor: Flag;
  version: number;
  created_at: string;
  updated_at: string;
}

interface RolePermissionTable {
  role_id: string;
  permission: string;
}

export interface PrincipalGroupTable {
  id: string;
  name: string;
  description: string;
  enabled: Flag;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface GroupMemberTable {
  id: string;
  group_id: string;
  principal_id: string;
  version: number;
  created_at: string;
}

export interface AssignmentTable {
  id: string;
  subject_kind: 'principal' | 'group';
  subject_id: string;
  role_id: string;
  resource_id: string;
  version: number;
  created_at: string;
}

export interface ApiKeyTable {
  /** The public part of the token. */
  key_id: string;
  principal_id: string;
  name: string | null;
  note: string | null;
  owner: string | null;
  /** Person who was shown its secret last, or took it over; null for the command line beside the data folder. */
  made_by: string | null;
  made_by_name: string;
  /** Time at which the maker was disabled; empty while they are not. */
  maker_left_at: string;
  secret_hash: string;
  /** Others than `sha256` are of an earlier release, until the next use of the key. */
  hash_kind: 'sha256' | 'scrypt' | 'pbkdf2';
  /** JSON: `[{permission, resource_id}]`, what the key may do at most. */
  ceiling: string;
  /** `review`: from an earlier release with every permission; unusable until approved. */
  state: 'active' | 'review';
  /** 1 for a key whose faxes are tests: they are handed to nobody. Never changes. */
  test: Flag;
  version: number;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface SessionTable {
  id: string;
  token_hash: string;
  /** Of the token that its pages hold beside the cookie; null when it began without one. */
  page_token_hash: string | null;
  principal_id: string;
  source_kind: SessionSource;
  /** The key the session began with; the session never outlives it. */
  source_key_id: string | null;
  /** Address of the sign-in. */
  address: string;
  /** Name that the browser sent, shortened; empty when it sent none. */
  device: string;
  /** Known browser in which it began; null for keys. */
  known_browser_id: string | null;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  revoked_at: string | null;
}

/** A passkey (WebAuthn) of a person. */
export interface PasskeyTable {
  id: string;
  principal_id: string;
  /** Base64url, as is the key (COSE). */
  credential_id: string;
  public_key: string;
  /** Of uses, as the device counts them; 0 where it does not. */
  counter: number;
  /** Transports by which the device can be reached, such as `internal usb`. */
  transports: string;
  /** The host name that it works for. */
  rp_id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** Challenge for a passkey to sign; used up by the first answer. */
export interface PasskeyChallengeTable {
  /** The sign-in or session that it was given to, and what for. */
  owner: string;
  challenge: string;
  expires_at: string;
}

/** A browser in which a person signed in before, so that it has tries of its own. */
export interface KnownBrowserTable {
  id: string;
  principal_id: string;
  /** Of the token in its cookie. Several people of one browser have the same. */
  token_hash: string;
  /** The last sign-in. */
  last_used_at: string;
  /** The last sign-in with the password or a passkey. */
  proved_at: string;
  /** Wrong PINs of the person in this browser since then. */
  wrong_pins: number;
}

/** PIN and card of a person for known browsers, hashed as passwords are. */
export interface QuickSignInTable {
  principal_id: string;
  pin_hash: string | null;
  card_hash: string | null;
}

/** A sign-in with the right password that waits for its second factor, or was left. */
export interface PendingSignInTable {
  token_hash: string;
  principal_id: string;
  /** Number of times that the password was entered in it. */
  count: number;
  last_at: string;
  last_address: string;
  expires_at: string;
}

/** Those of a person that were left, until they dismiss it. */
interface PasswordNoticeTable {
  principal_id: string;
  count: number;
  last_at: string;
  last_address: string;
}

/** One row, id 1. */
interface PolicyTable {
  id: number;
  /** Moves with every access change; callers send it back as `expected_policy_version`. */
  version: number;
  /** Moves with `version` and whenever a session ends: a remembered caller is good for one revision only. */
  revision: number;
}

/** Token buckets of the sign-in limits, stored so that a restart does not reset them. */
interface SignInLimitTable {
  key: string;
  tokens: number;
  /** Epoch milliseconds, as is when the bucket is full again. */
  updated_ms: number;
  full_ms: number;
}

/** Change that was carried out under a key of its caller, with its answer for a repeated request. */
interface AnsweredRequestTable {
  /** ID of the API key, or of the person. */
  caller_id: string;
  /** `Idempotency-Key`, or `X-Act-Id` after `act `. */
  request_key: string;
  /** Digest of the request. */
  fingerprint: string;
  /** Sealed JSON; null until the answer is known. */
  answer: string | null;
  expires_at: string;
}

/** Mailbox in which received faxes are filed; permissions to see them are granted on it. */
export interface MailboxTable {
  id: string;
  label: string;
  enabled: Flag;
  /** Cover page of faxes sent for it; null for none. */
  cover_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Faxes to this number go to that mailbox. */
export interface InboundRuleTable {
  id: string;
  /** E.164. */
  to_number: string;
  mailbox_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface AccessTables {
  answered_request: AnsweredRequestTable;
  principal: PrincipalTable;
  recovery_code: RecoveryCodeTable;
  role: RoleTable;
  role_permission: RolePermissionTable;
  principal_group: PrincipalGroupTable;
  group_member: GroupMemberTable;
  assignment: AssignmentTable;
  api_key: ApiKeyTable;
  session: SessionTable;
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
  known_browser: KnownBrowserTable;
  quick_sign_in: QuickSignInTable;
  pending_sign_in: PendingSignInTable;
  password_notice: PasswordNoticeTable;
  policy: PolicyTable;
  sign_in_limit: SignInLimitTable;
  mailbox: MailboxTable;
  inbound_rule: InboundRuleTable;
}
