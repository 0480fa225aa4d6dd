import type { FaxAttemptTable, FaxJobTable } from '../../server/db/schema/outbound.ts';
import { newId } from '../../server/platform/ids.ts';

/** A fax as its table holds it; what a test does not care about is filled in. */
export function faxRow(given: Partial<FaxJobTable> = {}): FaxJobTable {
  const at = given.created_at ?? '2026-11-21T09:00:00.000Z';
  return {
    id: newId(),
    to_number: '+12025550123',
    delivery_state: 'ready',
    dispatch_mode: 'normal',
    delivery_version: 1,
    reconciliation_reason: null,
    error: null,
    backend: 'cloudone',
    provider_sid: null,
    pages: null,
    created_at: at,
    updated_at: at,
    document_name: 'letter.pdf',
    document_media_type: 'application/pdf',
    document_sha256: '0'.repeat(64),
    document_size: 1000,
    document_pages: 1,
    artifact: null,
    plan: 'v1.sealed.text',
    plan_steps: 1,
    account_id: 'cloudone:0123456789ab',
    queue_only: 0,
    send_now: 0,
    urgent: 0,
    send_by_call: 0,
    resend_of: null,
    case_id: null,
    mailbox_id: null,
    created_by: 'bootstrap',
    created_by_name: 'Installation key',
    delivered_by: null,
    decided_by_name: null,
    decided_note: null,
    cost_minor: null,
    cost_currency: null,
    send_at: null,
    clean_greys: 0,
    titles: '[]',
    search_text: 'letter.pdf',
    ...given,
  };
}

/** An attempt of a fax, by default the first and submitted. */
export function attemptRow(jobId: string, given: Partial<FaxAttemptTable> = {}): FaxAttemptTable {
  return {
    id: newId(),
    job_id: jobId,
    number: 1,
    step: 1,
    transport: 'provider',
    backend: 'cloudone',
    phase: 'submitting',
    provider_account: 'cloudone:0123456789ab',
    provider_sid: null,
    submitted_at: null,
    completed_at: null,
    pages_sent: null,
    seconds: null,
    rate_bps: null,
    error_category: null,
    callback_url: null,
    callback_result: null,
    waiting_since: null,
    retry_at: null,
    ...given,
  };
}
