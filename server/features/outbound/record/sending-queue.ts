import type { WriteTx } from '../../../db/database.ts';
import { epochOf } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import type { Lines } from '../queue/lines.ts';
import {
  askAgainJob,
  askAgainOf,
  DIRECT_POLL_MS,
  FIRST_POLL_MS,
  pollJob,
  pollOf,
  TEST_POLL_MS,
  tryAgainJob,
  tryAgainOf,
} from '../queue/queued.ts';
import { planSending, withdrawSending } from '../queue/send-later.ts';
import type { Change } from '../transition/change.ts';
import type { Fax } from '../transition/fact.ts';
import type { AttemptRow } from '../types.ts';

type Parts = Pick<OutboundParts, 'queue' | 'clock' | 'settings'> & { readonly lines: Lines };

/** Queues and withdraws the jobs of faxes. */
export interface SendingQueue {
  /** Applies the effect of a change on the queue, in its transaction. */
  apply(tx: WriteTx, fax: Fax, effect: Change['queue']): Promise<void>;
}

export function createSendingQueue(parts: Parts): SendingQueue {
  return { apply: (tx, fax, effect) => applyEffect(parts, tx, fax, effect) };
}

/** Returns the time before the first query, in ms. */
function firstPoll({ transport }: Pick<AttemptRow, 'transport'>): number {
  if (transport === 'test') return TEST_POLL_MS;
  return transport === 'direct' ? DIRECT_POLL_MS : FIRST_POLL_MS;
}

async function applyEffect(
  parts: Parts,
  tx: WriteTx,
  { job, attempt }: Fax,
  effect: Change['queue'],
): Promise<void> {
  switch (effect) {
    case 'dispatch':
      return planSending(parts, tx, job, attempt);
    case 'withdraw':
      return withdrawSending(parts, tx, job, attempt);
    case 'replan':
      await withdrawSending(parts, tx, job, attempt);
      return planSending(parts, tx, job, attempt);
    case 'poll':
      if (attempt) {
        await parts.queue.enqueue(tx, pollJob, pollOf(attempt.id, parts.clock.now(), firstPoll(attempt)));
      }
      return;
    case 'ask_again':
      if (job.ask_again_at !== null)
        await parts.queue.enqueue(tx, askAgainJob, askAgainOf(job.id, epochOf(job.ask_again_at)));
      return;
    case 'try_again':
      // A number that was certainly not reached is tried again up to the configured count.
      if (job.automatic_tries < parts.settings.automaticTries())
        await parts.queue.enqueue(tx, tryAgainJob, tryAgainOf(job.id));
      return;
    case null:
      return;
    default:
      effect satisfies never;
  }
}
