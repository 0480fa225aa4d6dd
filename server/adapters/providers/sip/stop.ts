import type { TransportReport } from '../../../features/outbound/transport-port.ts';
import { AmiError } from '../../../platform/ami/error.ts';
import type { SipAccount } from './account.ts';
import { queryFailure } from './failures.ts';
import { reportOfCall } from './fax-report.ts';
import type { Line } from './line.ts';
import { NO_ANSWER } from './outcome-record.ts';

/** The engine notes the end of a call at once; asked so often, this far apart. */
const MAX_QUERIES = 10;
const QUERY_INTERVAL_MS = 200;

/**
 * Hangs up a call that nobody has answered, and returns its outcome. Null unless the engine recorded that nobody
 * answered; a fax in progress is never cut. Throws TransportError.
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
      // It ended by itself just now.
      if (!(error instanceof AmiError) || error.reason !== 'refused') throw error;
    });
    for (let queries = 0; queries < MAX_QUERIES; queries += 1) {
      const outcome = await engine.fetchOutcome(attemptId);
      if (outcome !== null) {
        if (outcome.answeredAt !== null) return null;
        await line.images.remove(attemptId);
        // Unless another side ended the call, this hang-up did, and not a missing answer.
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
