import { LIMITS } from '../../../../shared/limits.ts';
import type { WriteTx } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { SealError } from '../../../platform/errors.ts';
import { nextStep } from '../attempt-state.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { waitingTogether } from '../store/together-store.ts';
import type { Fax } from '../transition/fact.ts';
import type { JobRow, PlannedStep } from '../types.ts';
import { hoursWait, isTooLate } from './hours.ts';

/** Position of a fax's document in the pages of a call, counted from 1; the first page of the call lists its faxes. */
export interface CallShare {
  readonly call_first_page: number;
  readonly call_pages: number;
}

/** A fax that a call takes along. */
interface Companion {
  readonly fax: Fax;
  readonly step: PlannedStep;
}

/** True for steps that place a call, which can carry several faxes. False for internal delivery. */
export const isCall = ({ transport }: Pick<PlannedStep, 'transport'>): boolean =>
  transport.kind === 'provider' || transport.kind === 'line';

/**
 * Returns the time at which a fax accepted now leaves, as an ISO time: with the faxes that already wait for its number,
 * or after the waiting time of the number; a scheduled fax leaves at its own time. Null when it waits for no other.
 */
export async function togetherAt(
  tx: WriteTx,
  job: Pick<JobRow, 'to_number' | 'send_at' | 'hours_at'>,
  { minutes, now }: { minutes: number; now: number },
): Promise<string> {
  if (job.hours_at !== null && epochOf(job.hours_at) > now) return job.hours_at;
  if (job.send_at !== null && epochOf(job.send_at) > now) return job.send_at;
  const at = isoTime(now);
  const waiting = await waitingTogether(tx, job.to_number);
  const times = waiting.flatMap(({ together_at }) => together_at ?? []).filter((time) => time > at);
  return [isoTime(now + minutes * 60_000), ...times].sort()[0] as string;
}

/**
 * Lists the faxes that share the call of a fax, oldest first: those that wait to leave together to the same number in
 * the same way. An urgent fax and one with encoded pages wait for none and take none along.
 */
export async function listCompanions(
  parts: Pick<OutboundParts, 'seal' | 'settings' | 'db' | 'clock' | 'contacts'>,
  tx: WriteTx,
  lead: { readonly job: JobRow; readonly step: PlannedStep },
): Promise<Companion[]> {
  const { seal, settings, db, clock } = parts;
  if (lead.job.urgent === 1 || lead.job.encoded_pages !== null || !isCall(lead.step)) return [];
  const waiting = await waitingTogether(tx, lead.job.to_number, db.capabilities);
  const now = isoTime(clock.now());
  let pages = lead.job.document_pages;
  let bytes = lead.job.document_size;
  const found: Companion[] = [];
  for (const job of waiting) {
    if (job.id === lead.job.id || !(await mayGoNow(parts, tx, job))) continue;
    const attempt = (await newestAttempt(tx, job.id)) ?? null;
    const step = isPaused(attempt, now) ? null : stepOf(seal, job, nextStep(attempt));
    const isTooLong =
      pages + job.document_pages >= LIMITS.togetherPages ||
      bytes + job.document_size > settings.maxFileBytes() ||
      found.length + 2 > LIMITS.togetherFaxes;
    if (step === null || isTooLong || !isSameTransport(step, lead.step)) continue;
    pages += job.document_pages;
    bytes += job.document_size;
    found.push({ fax: { job, attempt }, step });
  }
  return found;
}

/** Returns true when its time has come, in the hours in which it may be sent and before its latest time. */
async function mayGoNow(
  parts: Pick<OutboundParts, 'settings' | 'clock' | 'contacts'>,
  tx: WriteTx,
  job: JobRow,
): Promise<boolean> {
  const now = parts.clock.now();
  if (isTooLate(job, now) || (job.send_at !== null && epochOf(job.send_at) > now)) return false;
  return (await hoursWait(parts, tx, job, now)).hours_at === null;
}

/** Returns true when its transport requested a pause, or its document cannot be read. */
function isPaused(attempt: Fax['attempt'], now: string): boolean {
  if (attempt === null || attempt.waiting_since === null) return false;
  const isOfDocument =
    attempt.error_category === 'artifact_unavailable' || attempt.error_category === 'artifact_damaged';
  return isOfDocument || (attempt.retry_at !== null && attempt.retry_at > now);
}

function stepOf(seal: OutboundParts['seal'], job: JobRow, step: number): PlannedStep | null {
  try {
    return openStep(seal, job, step);
  } catch (error) {
    // Its own dispatch reports this.
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** The same route and account, and the same header line on every page. */
function isSameTransport(one: PlannedStep, other: PlannedStep): boolean {
  const transportKey = ({ transport, account, route, header, documentBase }: PlannedStep) =>
    JSON.stringify([transport.kind, transport.backend, account.id, route?.id ?? null, header, documentBase]);
  return transportKey(one) === transportKey(other);
}

/** Returns the position of each document in the call, in the order of the faxes. */
export function sharesOf(jobs: readonly Pick<JobRow, 'document_pages'>[]): CallShare[] {
  const total = jobs.reduce((sum, { document_pages }) => sum + document_pages, 1);
  let next = 2;
  return jobs.map(({ document_pages }) => {
    const share = { call_first_page: next, call_pages: total };
    next += document_pages;
    return share;
  });
}
