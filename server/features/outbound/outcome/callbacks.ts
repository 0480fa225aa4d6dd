import { SealError } from '../../../platform/errors.ts';
import { isTerminal } from '../delivery-state.ts';
import type { OutboundParts } from '../parts.ts';
import { pollJob, pollOf } from '../queue/queued.ts';
import { readFaxOf } from '../record/record.ts';
import { filterOpen } from '../store/attempt-store.ts';
import { TransportError } from '../transport-port.ts';
import { PROVIDER } from '../types.ts';
import {
  type Callback,
  type CallbackHead,
  type CallbackHint,
  checkCallbackHead,
  receiveCallback,
  receiveHint,
} from './callback.ts';
import { createHintLimit } from './hint-limit.ts';
import type { Poller } from './poller.ts';
import { ProviderIdMismatchError, type ReportRecorder } from './report.ts';

/** Receives the reports that providers send on their own. */
export interface Callbacks {
  /** Checks the headers before the body of a signed callback is read. Throws a 401 refusal when no body could match them. */
  checkHead(head: CallbackHead): Promise<void>;
  /** Records the report. Returns true when it changed something. Throws 401, 409 or 400 refusals. */
  receive(callback: Callback): Promise<boolean>;
  /** Queries the provider about the attempt. Returns true when that ended the fax. Throws 401 and 409 refusals. */
  hint(hint: CallbackHint): Promise<boolean>;
  /** Queries an attempt at once after a transport that has our IDs signaled a change. */
  onProviderSignal(attemptId: string): Promise<void>;
  /** Returns those of the attempts whose outcome, or that of another fax in their call, is still to come. */
  filterPending(attemptIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createCallbacks(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'seal' | 'transports' | 'reportProblems'> & {
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
): Callbacks {
  const hints = createHintLimit(parts.clock);
  return {
    checkHead: async (head) => checkCallbackHead(parts, head),
    receive: async (callback) => receiveCallback(parts, callback),
    hint: async (hint) => receiveHint(parts, hints, hint),
    filterPending: async (attemptIds) => filterOpen(parts.db.read, attemptIds),
    onProviderSignal: async (attemptId) => queryAfterSignal(parts, attemptId),
  };
}

/** Time in ms by which the answer to a submission that is being recorded is in the store. */
const ANSWER_MS = 2_000;

/**
 * Queries an attempt at once, instead of with the next poll, after a transport that has our IDs signaled a change. The
 * signal itself is not trusted; when the transport cannot be queried, the next poll does it.
 */
async function queryAfterSignal(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock'> & { readonly poller: Poller },
  attemptId: string,
): Promise<void> {
  const { db, clock, queue } = parts;
  const fax = await readFaxOf(db.read, attemptId);
  if (!fax || isTerminal(fax.job.delivery_state)) return;
  const reference = fax.attempt.provider_sid;
  if (reference === null) {
    const poll = pollOf(attemptId, clock.now());
    await db.transaction((tx) => queue.enqueue(tx, pollJob, { ...poll, runAt: clock.now() + ANSWER_MS }));
    return;
  }
  await parts.poller.pollOnce({ ...fax, reference }, PROVIDER).catch((error: unknown) => {
    const isExpected = [TransportError, ProviderIdMismatchError, SealError].some(
      (known) => error instanceof known,
    );
    if (!isExpected) throw error;
  });
}
