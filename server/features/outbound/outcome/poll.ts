import { DONE, defineJob, type JobDefinition, type JobResult } from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import { SealError } from '../../../platform/errors.ts';
import { hasEnded } from '../attempt-state.ts';
import { isTerminal } from '../delivery-state.ts';
import type { OutboundParts } from '../parts.ts';
import { DIRECT_POLL_MS, FIRST_POLL_MS, type PollPayload, pollJob } from '../queue/queued.ts';
import { type Recorder, readFaxOf } from '../record/record.ts';
import { markUnqueryable } from '../record/unusable-key.ts';
import { attemptsOfCalls } from '../store/together-store.ts';
import { hasOurIds } from '../transition/unconfirmed.ts';
import { TransportError } from '../transport-port.ts';
import { type AttemptRow, PROVIDER } from '../types.ts';
import { findLost, isLost } from './find-lost.ts';
import type { PolledFax, Poller } from './poller.ts';
import { ProviderIdMismatchError, type ReportRecorder } from './report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Time without an outcome before a person must decide, in ms. A provider ends a fax within minutes; polling goes on.
 */
const CONFIRMATION_AFTER_MS = DAY_MS;

/** Polls the provider, with the account the fax captured, until the outcome is known. Losing a poll is harmless. */
export function definePoll(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'seal' | 'transports'> & {
    readonly recorder: Recorder;
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
): JobDefinition<PollPayload> {
  return defineJob({
    ...pollJob,
    concurrency: parts.seal.problem === null ? 4 : 0,
    lost: 'repeat',
    maxWaitMs: DAY_MS,
    mayComeEarly: true,
    run: async ({ attempt_id }) => {
      const isSearched = await searchLostFax(parts, attempt_id);
      const fax = await openFax(parts, attempt_id);
      if (!fax) return isSearched ? DONE : retrySearch(parts);
      const age = parts.clock.now() - epochOf(fax.attempt.submitted_at ?? fax.job.created_at);
      if (!(await isCallPoller(parts, fax)))
        return {
          kind: 'retry',
          at: parts.clock.now() + pollInterval(fax.attempt, age),
          reason: 'another fax of its call asks',
        };
      const failure = await parts.poller.pollOnce(fax, PROVIDER).catch((error: unknown) => error);
      if (failure instanceof SealError) return handleSealError(parts, attempt_id, failure);
      const reason = failure === null ? 'no outcome yet' : failureMessage(failure);
      if (age > CONFIRMATION_AFTER_MS) await recordSilence(parts, attempt_id);
      if (!(await openFax(parts, attempt_id))) return DONE;
      return { kind: 'retry', at: parts.clock.now() + pollInterval(fax.attempt, age), reason };
    },
  });
}

/**
 * Searches for a fax whose reference was lost, once for each hint. Returns false when the search must be repeated: the
 * transport has our IDs, so it can answer reliably, but could not be queried or had no answer yet.
 */
async function searchLostFax(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'transports'> & {
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
  attemptId: string,
): Promise<boolean> {
  const fax = await readFaxOf(parts.db.read, attemptId);
  if (!isLost(fax)) return true;
  const found = await findLost(parts, fax).catch((failure: unknown) => ({ failure }));
  if (typeof found === 'string') await parts.poller.removeEnded({ ...fax, reference: found });
  else if (found !== null) {
    if (found.failure instanceof SealError) return true;
    failureMessage(found.failure);
  }
  return !hasOurIds(fax.attempt) || !isLost(await readFaxOf(parts.db.read, attemptId));
}

function retrySearch({ clock }: Pick<OutboundParts, 'clock'>): JobResult {
  return {
    kind: 'retry',
    at: clock.now() + FIRST_POLL_MS,
    reason: 'it is unknown whether the call started',
  };
}

/** Returns the wait before the next poll of an attempt of this age, in ms: most faxes end within minutes. */
function pollInterval({ transport }: Pick<AttemptRow, 'transport'>, age: number): number {
  const isDirect = transport === 'direct';
  if (age < HOUR_MS) return isDirect ? DIRECT_POLL_MS : FIRST_POLL_MS;
  if (age < DAY_MS) return isDirect ? HOUR_MS : 10 * 60_000;
  return age < 7 * DAY_MS ? HOUR_MS : DAY_MS;
}

/** The fax while an outcome of this attempt is still to come, else null. */
async function openFax(parts: Pick<OutboundParts, 'db'>, attemptId: string): Promise<PolledFax | null> {
  const fax = await readFaxOf(parts.db.read, attemptId);
  if (!fax || fax.attempt.provider_sid === null) return null;
  if (isTerminal(fax.job.delivery_state) || hasEnded(fax.attempt.phase)) return null;
  return { ...fax, reference: fax.attempt.provider_sid };
}

/** Returns true for the one fax of a call that polls for all: the first without an outcome. */
async function isCallPoller({ db }: Pick<OutboundParts, 'db'>, { attempt }: PolledFax): Promise<boolean> {
  if (attempt.call_first_page === null || attempt.call_id === null) return true;
  const open = (await attemptsOfCalls(db.read, [attempt.call_id])).find(({ phase }) => !hasEnded(phase));
  return open === undefined || open.id === attempt.id;
}

/** The account was sealed with another data key: nothing changes until a start with the right one. */
async function handleSealError(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'transports'> & { readonly recorder: Recorder },
  attemptId: string,
  { message }: SealError,
): Promise<JobResult> {
  await parts.db.transaction((tx) => markUnqueryable(parts, tx, attemptId));
  return { kind: 'retry', at: parts.clock.now() + HOUR_MS, reason: message };
}

function failureMessage(error: unknown): string {
  if (error instanceof TransportError || error instanceof ProviderIdMismatchError) return error.message;
  throw error;
}

async function recordSilence(
  parts: Pick<OutboundParts, 'db'> & { readonly recorder: Recorder },
  attemptId: string,
): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const fax = await readFaxOf(tx, attemptId);
    if (fax) await parts.recorder.record(tx, fax, { kind: 'silent' }, PROVIDER);
  });
}
