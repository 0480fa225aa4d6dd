import type { TransportReport } from '../../../features/outbound/transport-port.ts';
import { AmiError } from '../../../platform/ami/error.ts';
import type { SipAccount } from './account.ts';
import { queryFailure } from './failures.ts';
import { reportOfCall } from './fax-report.ts';
import type { Line } from './line.ts';
import { NO_ANSWER } from './outcome-record.ts';

/** Maximum number of queries for the outcome, which the engine records as soon as the call has ended. */
const MAX_QUERIES = 10;
/** Pause between two queries. */
const QUERY_INTERVAL_MS = 200;

/**
 * Hangs up a call that is not answered yet, and returns its outcome. Returns null when there is no such call, when it was
 * answered (a fax in progress is not interrupted), or when the engine records no outcome in time. Throws TransportError.
 */
export async function stop(
  line: Line,
  account: SipAccount,
  attemptId: string,
): Promise<TransportReport | null> {
  const engine = line.engines.forAccount(account);
  try {
    const live = await engine.liveCall(attemptId);
    if (live === null || live.isAnswered) return null;
    await engine.hangUp(live.channel).catch((error: unknown) => {
      // Refused because the call has just ended.
      if (!(error instanceof AmiError) || error.reason !== 'refused') throw error;
    });
    for (let queries = 0; queries < MAX_QUERIES; queries += 1) {
      const outcome = await engine.fetchOutcome(attemptId);
      if (outcome !== null) {
        if (outcome.answeredAt !== null) return null;
        await line.images.remove(attemptId);
        // NO_ANSWER means that the other side did not end the call: this hang-up did.
        const cause = outcome.cause === NO_ANSWER ? null : outcome.cause;
        return reportOfCall(attemptId, { ...outcome, cause }, null);
      }
      await line.pause(QUERY_INTERVAL_MS);
    }
    return null;
  } catch (error) {
    throw queryFailure(error);
  }
}
