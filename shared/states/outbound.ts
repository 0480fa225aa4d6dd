import { FIXED_WORDS } from '../fixed-words.ts';

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
type StatusLabel = (typeof STATUS_LABELS)[number];

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

/** Ordinary faxes, and pages by which a partner of direct delivery gets a code. */
export const FAX_KINDS = ['fax', 'code'] as const;
export type FaxKind = (typeof FAX_KINDS)[number];

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

/** Reason why a provider takes nothing of an account: it refuses the credentials, or there is no credit. */
export const ACCOUNT_PROBLEMS = ['refused', 'no_credit'] as const;
export type AccountProblem = (typeof ACCOUNT_PROBLEMS)[number];

/**
 * Resource that a fax waits for once its time has come: the telephone engine, a free line, or the end of another call
 * to its number.
 */
export const WAITS_FOR = ['engine', 'line', 'number'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** Reason why a call did not get through. */
export const UNREACHED = ['busy', 'no_answer'] as const;
export type Unreached = (typeof UNREACHED)[number];

/** Kind of transport that delivered a fax; `test` for a test fax, which was handed to nobody. */
export const DELIVERED_BY = ['provider', 'internal', 'direct', 'test'] as const;
