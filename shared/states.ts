import { FIXED_WORDS } from './fixed-words.ts';

/** The delivery state of a fax. Judge delivery by this, never by the compatibility label. */
export const DELIVERY_STATES = [
  'held',
  'ready',
  'preparing',
  'submitting',
  'in_progress',
  'success',
  'failed',
  'cancelled',
  'reconciliation_required',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const STATUS_LABELS = FIXED_WORDS.sentFax;
export type StatusLabel = (typeof STATUS_LABELS)[number];

/** The compatibility label of each state. */
export const STATUS_OF: Record<DeliveryState, StatusLabel> = {
  held: 'disabled',
  ready: 'queued',
  preparing: 'queued',
  submitting: 'in_progress',
  in_progress: 'in_progress',
  reconciliation_required: 'in_progress',
  success: 'SUCCESS',
  failed: 'FAILED',
  cancelled: 'FAILED',
};

export const DISPATCH_MODES = ['normal', 'held', 'legacy'] as const;
export type DispatchMode = (typeof DISPATCH_MODES)[number];

export const ATTEMPT_PHASES = [
  'preparing',
  'submitting',
  'in_progress',
  'success',
  'failed',
  'cancelled',
  'uncertain',
  'abandoned',
] as const;
export type AttemptPhase = (typeof ATTEMPT_PHASES)[number];

export const ERROR_CATEGORIES = [
  'transport_ambiguous',
  'response_unusable',
  'worker_lost',
  'artifact_unavailable',
  'artifact_damaged',
  'provider_unavailable',
  'preparation_failed',
  'account_mismatch',
  'provider_id_mismatch',
  'refused',
] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/**
 * Source or transport of faxes: a cloud provider by the name of its folder, or one of the two below. Only the gateway's
 * registry has the list of providers, so that a further one needs no change here.
 */
export type Backend = string;
/** The telephone line of the installation itself. */
export const LINE_BACKEND = 'sip';
/** Of received faxes that were made here to try things out. */
export const TEST_BACKEND = 'test';
/** Of documents that another system received and handed over. */
export const IMPORT_BACKEND = 'import';
/** Of faxes to a number of the installation itself, which come in without a call. */
export const INTERNAL_BACKEND = 'internal';

/** Of received faxes that a partner delivered directly; nobody needs to own those. */
export const DIRECT_BACKEND = 'direct';

/** The state of a received fax. */
export const INBOUND_STATUSES = ['waiting', 'received', 'failed'] as const;
export type InboundStatus = (typeof INBOUND_STATUSES)[number];

export const INBOUND_STATUS_TEXT: Record<InboundStatus, string> = FIXED_WORDS.receivedFax;

/**
 * Resource that a fax waits for once its time has come: the telephone engine, a free line, or the end of another call
 * to its number.
 */
export const WAITS_FOR = ['engine', 'line', 'number'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** Stage of a call over the phone line: it rings, it was answered, pages are being sent. */
export const CALL_STAGES = ['dialing', 'answered', 'sending'] as const;
export type CallStage = (typeof CALL_STAGES)[number];

/** Reason why a call did not get through. */
export const UNREACHED = ['busy', 'no_answer'] as const;
export type Unreached = (typeof UNREACHED)[number];

/** Mode of the pages of a call over the phone line: as data (T.38), or as tones within the sound of the call. */
export const CALL_MODES = ['t38', 'audio'] as const;
export type CallMode = (typeof CALL_MODES)[number];

/** Direction of a call. */
export const CALL_DIRECTIONS = ['outgoing', 'incoming'] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];

/** Outcome of a call over the phone line. The last three are for incoming calls. */
export const CALL_OUTCOMES = [
  'delivered',
  'busy',
  'no_answer',
  'failed',
  'unconfirmed',
  'canceled',
  'received',
  'incomplete',
  'refused',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** By which kind of transport a fax was delivered. */
export const DELIVERED_BY = ['provider', 'internal', 'direct'] as const;

export const PRINCIPAL_KINDS = ['user', 'integration', 'bootstrap'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

export const SESSION_SOURCES = ['password', 'passkey', 'key', 'bootstrap'] as const;
export type SessionSource = (typeof SESSION_SOURCES)[number];

/** The three states of a work item. */
export const WORK_STATES = ['open', 'acknowledged', 'done'] as const;
export type WorkState = (typeof WORK_STATES)[number];

/** The same in more detail, with what a person reads: the first four are open. */
export const WORK_STATE_TEXT = FIXED_WORDS.workItem;
export type WorkStateKey = keyof typeof WORK_STATE_TEXT;
export const WORK_STATE_KEYS = Object.keys(WORK_STATE_TEXT) as [WorkStateKey, ...WorkStateKey[]];

/** Filter of the work queue: `open` stands for the first four. */
export const WORK_LIST_STATES = ['open', ...WORK_STATE_KEYS] as const;
export type WorkListState = (typeof WORK_LIST_STATES)[number];

/** Origin of the target of a work item. */
export const WORK_DUE_SOURCES = ['mailbox', 'installation'] as const;
export type WorkDueSource = (typeof WORK_DUE_SOURCES)[number];

/** Actions of a person on a work item. */
export const WORK_ACTIONS = ['assign', 'acknowledge', 'done', 'reopen'] as const;
export type WorkAction = (typeof WORK_ACTIONS)[number];

/** Security of the connection to an e-mail server. */
export const MAIL_SECURITY = ['starttls', 'tls', 'none'] as const;
export type MailSecurity = (typeof MAIL_SECURITY)[number];

/**
 * State of the e-mail that delivers a received fax to the recipients of a connector. `received` waits to be sent; it
 * cannot be determined whether an `uncertain` one arrived, so it is never sent again automatically.
 */
export const MAIL_STATE_TEXT = {
  received: 'Waiting to be sent',
  sending: 'Being sent',
  delivered: 'Delivered',
  uncertain: 'Needs a check',
  failed: 'Failed',
} as const;
export type MailState = keyof typeof MAIL_STATE_TEXT;
export const MAIL_STATES = Object.keys(MAIL_STATE_TEXT) as [MailState, ...MailState[]];

/** The same for one recipient. */
export const MAIL_RECIPIENT_STATES = ['waiting', 'delivered', 'refused', 'uncertain'] as const;
export type MailRecipientState = (typeof MAIL_RECIPIENT_STATES)[number];

/** Answer of a person about an e-mail that needs a check. */
export const MAIL_CONFIRM_OUTCOMES = ['arrived', 'not_arrived'] as const;
export type MailConfirmOutcome = (typeof MAIL_CONFIRM_OUTCOMES)[number];

/** Providers that accept access tokens (OAuth 2) in place of a password for sending mail. */
export const MAIL_OAUTH_PROVIDERS = ['microsoft', 'google'] as const;
export type MailOAuthProvider = (typeof MAIL_OAUTH_PROVIDERS)[number];

/** State of the summary of a day. */
export const SUMMARY_STATES = ['waiting', 'sending', 'delivered', 'uncertain', 'failed'] as const;
export type SummaryState = (typeof SUMMARY_STATES)[number];

/**
 * State of an e-mail that was to be sent as a fax. `waiting` could not be checked yet; `duplicate` came again after it
 * had become a fax; `ignored` was sent by a program or a list.
 */
export const MAIL_TO_FAX_STATE_TEXT = {
  waiting: 'Waiting',
  accepted: 'Sent as a fax',
  duplicate: 'Came again',
  refused: 'Refused',
  ignored: 'Ignored',
} as const;
export type MailToFaxState = keyof typeof MAIL_TO_FAX_STATE_TEXT;
export const MAIL_TO_FAX_STATES = Object.keys(MAIL_TO_FAX_STATE_TEXT) as [
  MailToFaxState,
  ...MailToFaxState[],
];

/** E-mail replies to a sender, each sent once; `ended` when the fax came to its end. */
export const MAIL_REPLY_KINDS = ['accepted', 'refused', 'asked', 'ended'] as const;
export type MailReplyKind = (typeof MAIL_REPLY_KINDS)[number];

/**
 * State of a reply: `pending` waits for the end of the fax, `waiting` for the e-mail server; it cannot be determined
 * whether an `uncertain` one arrived.
 */
export const MAIL_REPLY_STATES = [
  'pending',
  'waiting',
  'sending',
  'sent',
  'uncertain',
  'failed',
  'skipped',
] as const;
export type MailReplyState = (typeof MAIL_REPLY_STATES)[number];

/** Basis of an amount: reported by the provider, or calculated by the rate card from the details of the call. */
export const COST_CERTAINTIES = ['reported', 'calculated'] as const;
export type CostCertainty = (typeof COST_CERTAINTIES)[number];
/** `estimated` before its end; `charged` while the provider may still report another amount; then `settled`. */
export const COST_STATES = ['estimated', 'charged', 'settled'] as const;
export type CostState = (typeof COST_STATES)[number];

/** Outcome of an attempt for the statistics of its route; `doubt` when the outcome is uncertain. */
export const ATTEMPT_OUTCOMES = ['success', 'failed', 'doubt'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
