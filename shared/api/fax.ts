import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import {
  ATTEMPT_PHASES,
  BACKENDS,
  DELIVERED_BY,
  DELIVERY_STATES,
  DISPATCH_MODES,
  ERROR_CATEGORIES,
  STATUS_LABELS,
} from '../states.ts';
import { Id, OptionalTime, Time, Version } from './values.ts';

const Count = z.number().int().min(0);

export const FaxDocument = z.strictObject({
  sha256: z.string().length(64).describe('of the prepared PDF, lowercase hex'),
  pages: Count,
  size_bytes: Count,
  media_type: z.string().describe('of what was submitted'),
  file_name: z.string(),
});

export const FaxAttempt = z.strictObject({
  id: Id,
  number: Count,
  phase: z.enum(ATTEMPT_PHASES),
  provider_account: z.string(),
  submitted_at: OptionalTime,
  completed_at: OptionalTime,
  pages_sent: Count.nullable(),
  seconds: Count.nullable(),
  rate_bps: Count.nullable(),
  error_category: z.enum(ERROR_CATEGORIES).nullable(),
});

export const FaxJob = z
  .strictObject({
    id: Id,
    to: z.string().describe('E.164'),
    status: z.enum(STATUS_LABELS).describe('compatibility label; judge delivery by delivery_state'),
    error: z.string().nullable(),
    pages: Count.nullable(),
    backend: z.enum(BACKENDS),
    provider_sid: z.string().nullable(),
    created_at: Time,
    updated_at: Time,
    delivery_state: z.enum(DELIVERY_STATES),
    dispatch_mode: z.enum(DISPATCH_MODES),
    delivery_version: Version,
    reconciliation_reason: z.string().nullable(),
    document: FaxDocument,
    attempt: FaxAttempt.nullable().describe('the newest one'),
    cost: z
      .strictObject({ amount: z.string().describe('decimal'), currency: z.string().length(3) })
      .nullable()
      .describe('null while unknown'),
    queue_only: z.boolean(),
    send_now: z.boolean(),
    urgent: z.boolean(),
    send_by_call: z.boolean(),
    resend_of: Id.nullable(),
    case_id: Id.nullable(),
    created_by: z.strictObject({ id: Id, name: z.string() }),
    contact: z.strictObject({ id: Id, name: z.string() }).nullable(),
    delivered_by: z.enum(DELIVERED_BY).nullable(),
  })
  .meta({ id: 'FaxJob' });

export const FaxEvent = z.strictObject({
  kind: z.string(),
  occurred_at: Time,
  actor: z.string(),
  text: z.string().describe('one sentence'),
});

export const PreviewNote = z.strictObject({ kind: z.string(), page: Count, text: z.string() });

export const FaxPreview = z
  .strictObject({
    preview_id: Id,
    pages: Count,
    seconds: Count.describe('estimated time on the line'),
    cost: z.null().describe('known once rate cards are set'),
    notes: z.array(PreviewNote),
  })
  .meta({ id: 'FaxPreview' });

export const Reconciliation = z.union([
  z.strictObject({
    outcome: z.enum(['success', 'failed']),
    note: z.string().trim().min(1).max(LIMITS.noteLength),
    delivery_version: Version,
  }),
  z.strictObject({ provider_sid: z.string().trim().min(1).max(100), delivery_version: Version }),
]);

export const CallbackAnswer = z.strictObject({ ok: z.literal(true), applied: z.boolean() });
