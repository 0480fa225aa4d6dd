import type { ReadDb } from '../../../db/database.ts';
import { type Caller, mailboxLabels } from '../../access/service.ts';
import { newestAttempts } from '../store/attempt-store.ts';
import { findAccess } from '../store/job-store.ts';
import type { FaxRecord, JobRow } from '../types.ts';
import { mayRead } from '../visibility.ts';

/** The faxes as this caller is shown them: what they name that the caller may not see is left out. */
export async function recordsOf(db: ReadDb, caller: Caller, jobs: readonly JobRow[]): Promise<FaxRecord[]> {
  // An attempt begins with a move, so a fax that never moved has none.
  const moved = jobs.filter((job) => job.delivery_version > 1).map((job) => job.id);
  const attempts = await newestAttempts(db, moved);
  const labels = await mailboxLabels(db, [...new Set(jobs.flatMap(({ mailbox_id }) => mailbox_id ?? []))]);
  const seen = await readable(db, caller, [...new Set(jobs.flatMap(({ resend_of }) => resend_of ?? []))]);
  return jobs.map((job) => ({
    job,
    attempt: attempts.get(job.id) ?? null,
    mailbox: labels.get(job.mailbox_id ?? '') ?? null,
    resendOf: job.resend_of !== null && seen.has(job.resend_of) ? job.resend_of : null,
  }));
}

async function readable(db: ReadDb, caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await findAccess(db, ids);
  return new Set(found.filter((fax) => mayRead(caller, fax)).map(({ id }) => id));
}
