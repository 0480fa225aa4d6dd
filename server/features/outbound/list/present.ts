import type { z } from 'zod';
import { UNKNOWN_NUMBER } from '../../../../shared/api/inbound-shapes.ts';
import type { FaxJob } from '../../../../shared/api/outbound-shapes.ts';
import { STATUS_OF } from '../../../../shared/states/outbound.ts';
import { attemptCost, costOf } from '../../routing/service.ts';
import { confirmedPages } from '../confirmed-pages.ts';
import { editsOf } from '../kept-original.ts';
import { arrivalWarning } from '../transition/arrived.ts';
import { type AttemptRow, coverOf, type FaxRecord, isDirect, isInternal, type JobRow } from '../types.ts';

/** A fax as the contract shows it. */
export function presentFax({
  job,
  attempt,
  progress,
  mailbox,
  resendOf,
  answers,
  triedAgainAs,
  contact,
  together,
  legalHolds,
  costs,
}: FaxRecord): z.infer<typeof FaxJob> {
  return {
    id: job.id,
    kind: job.kind,
    to: job.to_number,
    status: STATUS_OF[job.delivery_state],
    error: job.error,
    pages: job.pages,
    backend: job.backend,
    internal: isInternal(job),
    direct: isDirect(job),
    route: presentRoute(job),
    provider_sid: job.provider_sid,
    created_at: job.created_at,
    updated_at: changedAt(job),
    delivery_state: job.delivery_state,
    dispatch_mode: job.dispatch_mode,
    delivery_version: job.delivery_version,
    reconciliation_reason: job.reconciliation_reason,
    document: {
      sha256: job.document_sha256 || null,
      pages: job.document_pages,
      size_bytes: job.document_size,
      media_type: job.document_media_type,
      file_name: job.document_name,
    },
    attempt: attempt && presentAttempt(job, attempt, costs),
    progress: job.delivery_state === 'in_progress' ? presentProgress(progress) : null,
    cost: costOf(costs),
    free: isFree(job, attempt, costs),
    queue_only: job.queue_only === 1,
    send_now: job.send_now === 1,
    urgent: job.urgent === 1,
    send_by_call: job.send_by_call === 1,
    resend_of: resendOf,
    answers: presentAnswered(answers),
    tried_again_as: triedAgainAs,
    automatic_tries: job.automatic_tries,
    case_id: job.case_id,
    cover: coverOf(job),
    broadcast_id: job.broadcast_id,
    legal_holds: legalHolds.map(({ id, name }) => ({ id, name })),
    edits: editsOf(job),
    mailbox,
    created_by: { id: job.created_by, name: job.created_by_name },
    contact,
    delivered_by: job.delivered_by,
    decision: presentDecision(job),
    ask_again_at: job.delivery_state === 'reconciliation_required' ? job.ask_again_at : null,
    send_at: job.send_at,
    send_by: job.send_by,
    send_when: job.send_when,
    hours: presentHours(job),
    waits_for: job.waits_for,
    held_reason: job.held_reason,
    arrival_warning: arrivalWarning(job, attempt),
    together: { leaves_at: leavesAt(job), with: [...together] },
    clean_greys: job.clean_greys === 1,
    header_name: job.header_name,
    page_form: job.page_form,
    encoded: presentEncoded(job),
    titles: JSON.parse(job.titles) as string[],
    subject: job.subject,
    reference: job.reference,
    document_type: job.document_type,
    test: job.test === 1,
  };
}

function presentAnswered(answered: FaxRecord['answers']): z.infer<typeof FaxJob>['answers'] {
  if (answered === null) return null;
  const { id: inbound_id, from, receivedAt: received_at } = answered;
  return { inbound_id, from: from ?? UNKNOWN_NUMBER, received_at };
}

/** Returns the time of the last change, also of what it is about. */
const changedAt = ({ updated_at, described_at }: JobRow): string =>
  described_at !== null && described_at > updated_at ? described_at : updated_at;

/** True once it is certain that nothing is billed. */
function isFree(
  { delivered_by, delivery_state, test }: JobRow,
  attempt: AttemptRow | null,
  costs: FaxRecord['costs'],
): boolean {
  if (delivered_by === 'internal' || delivered_by === 'direct' || test === 1) return true;
  if (delivery_state !== 'failed' && delivery_state !== 'cancelled') return false;
  if (costs.length > 0) return costs.every((row) => attemptCost(row) === null);
  return attempt === null || attempt.submitted_at === null || !isBilled(attempt);
}

/** Own numbers and partners bill nothing. */
const isBilled = ({ transport }: AttemptRow): boolean => transport !== 'own_number' && transport !== 'direct';

function presentRoute({ route_id, route_name, route_reason }: JobRow): z.infer<typeof FaxJob>['route'] {
  if (route_id === null) return null;
  return { id: route_id, name: route_name ?? '', reason: route_reason ?? '' };
}

function presentEncoded(job: JobRow): z.infer<typeof FaxJob>['encoded'] {
  const { encoded_mode: mode, encoded_pages: pages, encoded_seconds: seconds } = job;
  return mode === null || pages === null ? null : { mode, pages, seconds: seconds ?? 0 };
}

function presentProgress(progress: FaxRecord['progress']): z.infer<typeof FaxJob>['progress'] {
  return progress && { stage: progress.stage, page: progress.page, rate_bps: progress.rateBps };
}

/** Returns the planned time; null for a fax that has left. */
function leavesAt({ delivery_state, together_at }: JobRow): string | null {
  return delivery_state === 'ready' ? together_at : null;
}

function presentHours({ delivery_state, hours_at, hours_reason }: JobRow): z.infer<typeof FaxJob>['hours'] {
  if (delivery_state !== 'ready' || hours_at === null) return null;
  return { open_at: hours_at, reason: hours_reason ?? '' };
}

function presentDecision(job: JobRow): z.infer<typeof FaxJob>['decision'] {
  if (job.decided_by_name === null || job.decided_note === null) return null;
  return { by: job.decided_by_name, note: job.decided_note };
}

function presentAttempt(
  job: JobRow,
  attempt: AttemptRow,
  costs: FaxRecord['costs'],
): NonNullable<z.infer<typeof FaxJob>['attempt']> {
  const { id, number, phase, provider_account, submitted_at, completed_at } = attempt;
  const { seconds, rate_bps, error_category, unreached, failure_code } = attempt;
  const pages_sent = confirmedPages(job, attempt);
  const times = { submitted_at, completed_at };
  const { encoded_pages } = attempt;
  const result = { pages_sent, encoded_pages, seconds, rate_bps, error_category, unreached, failure_code };
  const own = costs.find(({ attempt_id }) => attempt_id === id);
  const cost = own ? attemptCost(own) : null;
  return { id, number, phase, provider_account, ...times, ...result, cost };
}
