import type { ReadDb } from '../../../db/database.ts';
import { type Caller, mailboxLabels } from '../../access/service.ts';
import { holdsOn } from '../../holds/service.ts';
import { heldFactsOf } from '../legal-hold.ts';
import type { OutboundParts } from '../parts.ts';
import { shareOfProgress } from '../progress.ts';
import { newestAttempts } from '../store/attempt-store.ts';
import { findAccess } from '../store/job-store.ts';
import { attemptsOfCalls, waitingTogetherTo } from '../store/together-store.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { AttemptRow, FaxRecord, JobRow } from '../types.ts';
import { mayRead } from '../visibility.ts';

/** The faxes as this caller is shown them: what they name that the caller may not see is left out. */
export async function recordsOf(
  {
    db: { read: db },
    contacts,
    progress,
    costs,
    received,
    holds,
  }: Pick<OutboundParts, 'db' | 'contacts' | 'progress' | 'costs' | 'received' | 'holds'>,
  caller: Caller,
  jobs: readonly JobRow[],
): Promise<FaxRecord[]> {
  // An attempt begins with a move, so a fax that never moved has none.
  const moved = jobs.filter((job) => job.delivery_version > 1).map((job) => job.id);
  const attempts = await newestAttempts(db, moved);
  const costsOf = await costs.costsOfFaxes(db, moved);
  const labels = await mailboxLabels(db, [...new Set(jobs.flatMap(({ mailbox_id }) => mailbox_id ?? []))]);
  const named = jobs.flatMap(({ resend_of, tried_again_as }) =>
    [resend_of ?? [], tried_again_as ?? []].flat(),
  );
  const together = await companionsByFax(db, jobs, attempts);
  const seen = await readableIds(db, caller, [...new Set([...named, ...[...together.values()].flat()])]);
  const names = await contacts.namesOf(
    caller,
    jobs.map(({ to_number }) => to_number),
  );
  const answered = await received.readableAmong(caller, [
    ...new Set(jobs.flatMap(({ answers }) => answers ?? [])),
  ]);
  const open = await holds.shown();
  const visible = (id: string | null) => (id !== null && seen.has(id) ? id : null);
  const progressOf = (attempt: AttemptRow | undefined, job: JobRow) =>
    attempt ? shareOfProgress(progress.get(attempt), attempt, transmittedPages(job, attempt)) : null;
  return jobs.map((job) => ({
    job,
    attempt: attempts.get(job.id) ?? null,
    progress: progressOf(attempts.get(job.id), job),
    mailbox: labels.get(job.mailbox_id ?? '') ?? null,
    resendOf: visible(job.resend_of),
    answers: answered.get(job.answers ?? '') ?? null,
    triedAgainAs: visible(job.tried_again_as),
    contact: names.get(job.to_number) ?? null,
    together: (together.get(job.id) ?? []).filter((id) => seen.has(id)),
    legalHolds: holdsOn(open, heldFactsOf(job)),
    costs: costsOf.get(job.id) ?? [],
  }));
}

/** Returns, by fax, the others that wait to leave with it, or that share a call with its newest attempt. */
async function companionsByFax(
  db: ReadDb,
  jobs: readonly JobRow[],
  attempts: ReadonlyMap<string, AttemptRow>,
): Promise<Map<string, string[]>> {
  const waiting = jobs.filter(({ delivery_state, together_at }) => delivery_state === 'ready' && together_at);
  const called = jobs.flatMap(({ id }) => {
    const attempt = attempts.get(id);
    return attempt?.call_id && attempt.call_first_page !== null ? { id, callId: attempt.call_id } : [];
  });
  const ready = await waitingTogetherTo(db, [...new Set(waiting.map(({ to_number }) => to_number))]);
  const inCalls = await attemptsOfCalls(db, [...new Set(called.map(({ callId }) => callId))]);
  const idsOfNumber = (to: string) => ready.flatMap((each) => (each.to_number === to ? each.id : []));
  const idsOfCall = (callId: string) =>
    inCalls.flatMap((each) => (each.call_id === callId ? each.job_id : []));
  const others = (id: string, ids: string[]) => [id, ids.filter((each) => each !== id)] as const;
  return new Map([
    ...waiting.map(({ id, to_number }) => others(id, idsOfNumber(to_number))),
    ...called.map(({ id, callId }) => others(id, idsOfCall(callId))),
  ]);
}

async function readableIds(db: ReadDb, caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await findAccess(db, ids);
  return new Set(found.filter((fax) => mayRead(caller, fax)).map(({ id }) => id));
}
