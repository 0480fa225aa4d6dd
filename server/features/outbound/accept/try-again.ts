import { LIMITS } from '../../../../shared/limits.ts';
import type { Unreached } from '../../../../shared/states/outbound.ts';
import type { WriteTx } from '../../../db/database.ts';
import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { aboutOf } from '../../../platform/fax-about.ts';
import type { Caller } from '../../access/service.ts';
import { FaxRefusalError, noSuchFax } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { isTooLate } from '../queue/hours.ts';
import { tryAgainJob, type WaitPayload } from '../queue/queued.ts';
import type { FaxNotifier } from '../record/events.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { findJob, recordTriedAgain } from '../store/job-store.ts';
import type { JobRow } from '../types.ts';
import type { RequestedMailbox, SendRequest, TryAgainDetails } from './send-request.ts';

const DELAY_MS = LIMITS.tryAgainMinutes * 60_000;
/** A gateway that was off for longer leaves it to a person. */
const MAX_AGE_MS = 60 * 60_000;

/** Origin of a request to try the number again: a person, or the gateway itself. */
interface TryAgainRequest {
  readonly caller: Caller | null;
  readonly mailbox: RequestedMailbox;
}

/** Values of a copy of an earlier fax that may differ from it. */
export type RepeatOrder = Pick<
  SendRequest,
  | 'to'
  | 'mailbox'
  | 'idempotencyKey'
  | 'onReplay'
  | 'caller'
  | 'sendAt'
  | 'sendBy'
  | 'sendWhen'
  | 'tryAgainDetails'
  | 'about'
>;

/** Thrown when the number was tried again by another request in the meantime. */
class AlreadyTriedAgainError extends Error {
  override name = 'AlreadyTriedAgainError';
}

const CAUSES: Readonly<Record<Unreached, string>> = {
  busy: 'The number was busy.',
  no_answer: 'Nobody answered.',
};

/** See `tryAgain` of Sending; `send` accepts the new fax. */
export async function tryAgain(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'settings'> & { readonly notifier: FaxNotifier },
  job: JobRow,
  by: TryAgainRequest,
  send: (order: RepeatOrder) => Promise<JobRow>,
): Promise<JobRow> {
  if (job.tried_again_as !== null) return loadExisting(parts, job.tried_again_as);
  const unreached = (await newestAttempt(parts.db.read, job.id))?.unreached ?? null;
  if (job.delivery_state !== 'failed' || unreached === null) throw new FaxRefusalError('not_unreached');
  const automaticTries = by.caller === null ? job.automatic_tries + 1 : 0;
  const reason = tryAgainReason(unreached, automaticTries, parts.settings.automaticTries());
  const sendAt = isoTime(parts.clock.now() + DELAY_MS);
  return sendOnce(parts, job, send, { ...by, sendAt, automaticTries, reason });
}

/** Sends a failed fax of a broadcast again at once; a fax that was tried again already is left alone. */
export async function sendFailedAgain(
  parts: Pick<OutboundParts, 'db' | 'clock'> & { readonly notifier: FaxNotifier },
  job: JobRow,
  by: TryAgainRequest,
  send: (order: RepeatOrder) => Promise<JobRow>,
): Promise<void> {
  if (job.tried_again_as !== null) return;
  const reason = 'Sent again with the failed faxes of its broadcast.';
  await sendOnce(parts, job, send, { ...by, sendAt: null, automaticTries: 0, reason });
}

/** Sends a fax in the place of a failed one. Returns the fax of another request that was faster. */
async function sendOnce(
  parts: Pick<OutboundParts, 'db' | 'clock'> & { readonly notifier: FaxNotifier },
  job: JobRow,
  send: (order: RepeatOrder) => Promise<JobRow>,
  order: TryAgainRequest & Pick<RepeatOrder, 'sendAt'> & Pick<TryAgainDetails, 'automaticTries' | 'reason'>,
): Promise<JobRow> {
  try {
    return await send({
      to: job.to_number,
      about: aboutOf(job),
      mailbox: order.mailbox,
      idempotencyKey: null,
      caller: order.caller,
      sendAt: order.sendAt,
      // A person who tries again after the latest time wants it sent all the same.
      sendBy: isOutOfTime(parts, job) ? null : job.send_by,
      sendWhen: job.send_when,
      tryAgainDetails: {
        sender: {
          created_by: job.created_by,
          created_by_name: job.created_by_name,
          header_name: job.header_name,
        },
        automaticTries: order.automaticTries,
        reason: order.reason,
        linkNewFax: (tx, id) => linkNewFax(parts, tx, job.id, id),
      },
    });
  } catch (error) {
    if (!(error instanceof AlreadyTriedAgainError)) throw error;
    const now = await findJob(parts.db.read, job.id);
    if (!now?.tried_again_as) throw error;
    return loadExisting(parts, now.tried_again_as);
  }
}

/** The old fax names the new one, in the same transaction: no second one can come to be. */
async function linkNewFax(
  parts: Pick<OutboundParts, 'clock'> & { readonly notifier: FaxNotifier },
  tx: WriteTx,
  oldId: string,
  newId: string,
): Promise<void> {
  const at = isoTime(parts.clock.now());
  const old = await recordTriedAgain(tx, oldId, { as: newId, at });
  if (!old) throw new AlreadyTriedAgainError();
  parts.notifier.notifyVersion(tx, old);
}

async function loadExisting(parts: Pick<OutboundParts, 'db'>, id: string): Promise<JobRow> {
  const job = await findJob(parts.db.read, id);
  if (!job) throw noSuchFax();
  return job;
}

function tryAgainReason(unreached: Unreached, tries: number, maxTries: number): string {
  const cause = CAUSES[unreached];
  return tries === 0
    ? cause
    : `${cause} Tried again automatically, ${tries} of ${Math.max(maxTries, tries)}.`;
}

/** Makes the new fax. Run twice, it makes one. */
export function defineTryAgain(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'logger' | 'settings'>,
  sending: { tryAgain(job: JobRow, caller: null): Promise<JobRow> },
): JobDefinition<WaitPayload> {
  return defineJob({
    ...tryAgainJob,
    concurrency: 2,
    lost: 'repeat',
    run: async ({ job_id }) => {
      const job = await findJob(parts.db.read, job_id);
      if (!job || job.tried_again_as !== null || isOver(parts, job)) return DONE;
      try {
        await sending.tryAgain(job, null);
      } catch (error) {
        // A refusal is final; the failed fax remains for a person to handle.
        if (!(error instanceof RefusalError)) throw error;
        parts.logger.warn({ error, job_id }, 'a fax was not tried again');
      }
      return DONE;
    },
  });
}

/** Returns true when the next fax would begin after the latest time. */
const isOutOfTime = ({ clock }: Pick<OutboundParts, 'clock'>, job: Pick<JobRow, 'send_by'>): boolean =>
  isTooLate(job, clock.now() + DELAY_MS);

/** The setting was changed meanwhile, or the time for it has passed. */
function isOver({ settings, clock }: Pick<OutboundParts, 'clock' | 'settings'>, job: JobRow): boolean {
  return (
    job.automatic_tries >= settings.automaticTries() ||
    clock.now() - epochOf(job.updated_at) > MAX_AGE_MS ||
    isOutOfTime({ clock }, job)
  );
}
