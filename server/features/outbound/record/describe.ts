import { isoTime } from '../../../platform/clock.ts';
import {
  aboutOf,
  aboutSentences,
  changedAboutText,
  type FaxAbout,
  type GivenAbout,
  matchesAbout,
} from '../../../platform/fax-about.ts';
import { noSuchFax, stale } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { addHistory } from '../store/history-store.ts';
import { describeJob, findJob } from '../store/job-store.ts';
import type { Actor, JobRow } from '../types.ts';
import type { FaxNotifier } from './events.ts';

/** Change of what a fax is about; `expected` are the values that were read before. */
export interface DescribeRequest {
  readonly about: GivenAbout;
  readonly expected: GivenAbout;
}

/** The delivery of the fax may change its version at the same moment. */
const MAX_TRIES = 5;

/**
 * Changes what a fax is about, and records it in the history. Throws a 409 refusal when the values are no longer those
 * that were expected.
 */
export async function describeFax(
  parts: Pick<OutboundParts, 'db' | 'clock'> & { readonly notifier: FaxNotifier },
  id: string,
  request: DescribeRequest,
  actor: Actor,
): Promise<JobRow> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const changed = await describeOnce(parts, id, request, actor);
    if (changed) return changed;
  }
  throw stale();
}

/** Returns null when another change of the fax came first. */
async function describeOnce(
  { db, clock, notifier }: Pick<OutboundParts, 'db' | 'clock'> & { readonly notifier: FaxNotifier },
  id: string,
  { about, expected }: DescribeRequest,
  actor: Actor,
): Promise<JobRow | null> {
  return db.transaction(async (tx) => {
    const job = await findJob(tx, id);
    if (!job) throw noSuchFax();
    if (!matchesAbout(job, expected)) throw stale();
    const after: FaxAbout = aboutOf(about, job);
    const text = aboutSentences(job, after);
    if (text === '') return job;
    const at = isoTime(clock.now());
    const search_text = changedAboutText(job.search_text, job, after);
    const changed = await describeJob(tx, job, { ...after, search_text, described_at: at });
    if (!changed) return null;
    await addHistory(tx, id, { kind: 'about', text, occurred_at: at, actor: actor.name });
    notifier.notifyChange(tx, changed, { event: 'job_updated', kind: 'about', actor });
    return changed;
  });
}
