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

export const STATUS_LABELS = ['queued', 'in_progress', 'SUCCESS', 'FAILED', 'disabled'] as const;
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
  'provider_unavailable',
  'preparation_failed',
  'account_mismatch',
  'provider_id_mismatch',
  'refused',
] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/**
 * What carries or brings faxes: a cloud provider by the name that its folder gives it, or one of the two below. Which
 * providers there are is known to the gateway's registry alone, so that a further one needs no change here.
 */
export type Backend = string;
/** The telephone line of the installation itself. */
export const LINE_BACKEND = 'sip';
/** Of received faxes that were made here to try things out. */
export const TEST_BACKEND = 'test';

/** The state of a received fax. */
export const INBOUND_STATUSES = ['waiting', 'received', 'failed'] as const;
export type InboundStatus = (typeof INBOUND_STATUSES)[number];

export const INBOUND_STATUS_TEXT: Record<InboundStatus, string> = {
  waiting: 'Waiting for the document',
  received: 'Received',
  failed: 'Not received',
};

/** By which kind of transport a fax was delivered. */
export const DELIVERED_BY = ['provider', 'internal', 'direct'] as const;

export const PRINCIPAL_KINDS = ['user', 'integration', 'bootstrap'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

export const SESSION_SOURCES = ['password', 'passkey', 'key', 'bootstrap'] as const;
export type SessionSource = (typeof SESSION_SOURCES)[number];
