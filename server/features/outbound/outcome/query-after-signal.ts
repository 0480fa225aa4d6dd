import { SealError } from '../../../platform/errors.ts';
import { isTerminal } from '../delivery-state.ts';
import { pollJob, pollOf } from '../dispatch/queued.ts';
import type { OutboundParts } from '../parts.ts';
import { readFaxOf } from '../transition/record.ts';
import { TransportError } from '../transport-port.ts';
import { PROVIDER } from '../types.ts';
import { pollOnce } from './poll.ts';
import { ProviderIdMismatchError } from './report.ts';

/** Delay after which an answer still to be recorded is in the store. */
const ANSWER_MS = 2_000;

/**
 * Queries an attempt at once, instead of with the next poll, after a transport that has our IDs signaled a change. The
 * signal itself is not trusted; when the transport cannot be queried, the next poll does it.
 */
export async function queryAfterSignal(parts: OutboundParts, attemptId: string): Promise<void> {
  const { db, clock, queue } = parts;
  const fax = await readFaxOf(db.read, attemptId);
  if (!fax || isTerminal(fax.job.delivery_state)) return;
  const reference = fax.attempt.provider_sid;
  if (reference === null) {
    const poll = pollOf(attemptId, clock.now());
    await db.transaction((tx) => queue.enqueue(tx, pollJob, { ...poll, runAt: clock.now() + ANSWER_MS }));
    return;
  }
  await pollOnce(parts, { ...fax, reference }, PROVIDER).catch((error: unknown) => {
    const isExpected = [TransportError, ProviderIdMismatchError, SealError].some(
      (known) => error instanceof known,
    );
    if (!isExpected) throw error;
  });
}
