import {
  EMPTY_REPORT,
  type FoundFax,
  type SentSearch,
  type TransportReport,
} from '../../../features/outbound/transport-port.ts';
import type { SipAccount } from './account.ts';
import type { Engine, LiveCall } from './engine.ts';
import { queryFailure } from './failures.ts';
import { reportOfCall, reportOfLostCall } from './fax-report.ts';
import type { Line } from './line.ts';
import { lineResultOf } from './line-result.ts';
import type { CallOutcome } from './outcome-record.ts';

/** Time in ms that may pass between the end of a channel and the record of its outcome, or between a start and its channel. */
const GRACE_MS = 60_000;

/**
 * Fetches the state of a call. A call with neither a channel nor a recorded outcome is lost
 * after a grace period. Throws TransportError.
 */
export async function fetchReport(
  line: Line,
  account: SipAccount,
  attemptId: string,
): Promise<TransportReport> {
  const engine = line.engines.forAccount(account);
  try {
    const known =
      (await readReport(line, account, attemptId)) ?? (await reportLostCall(line, engine, attemptId));
    return known ?? inProgress(attemptId, 'between two states');
  } catch (error) {
    throw queryFailure(error);
  }
}

async function reportLiveCall(
  line: Line,
  { engine, attemptId, live }: { engine: Engine; attemptId: string; live: LiveCall },
): Promise<TransportReport> {
  const session = live.isAnswered ? await engine.fetchSession(live.channel) : null;
  if (session !== null && session.ecm !== null) line.agreedEcm.set(attemptId, session.ecm);
  const reached = live.isAnswered ? 'answered' : 'dialing';
  const stage = session === null ? reached : 'sending';
  const progress = { stage, page: session?.page ?? null, rateBps: session?.rateBps ?? null } as const;
  return { ...inProgress(attemptId, stage), progress };
}

/** Reports the channel of the call, or else its recorded outcome; null when there is neither. */
async function readReport(
  line: Line,
  account: SipAccount,
  attemptId: string,
): Promise<TransportReport | null> {
  const engine = line.engines.forAccount(account);
  // The channel first: when the call ends in between, its outcome is recorded by then.
  const live = await engine.liveCall(attemptId);
  if (live !== null) {
    line.missing.delete(attemptId);
    line.watch.scheduleQuery(attemptId);
    return await reportLiveCall(line, { engine, attemptId, live });
  }
  const outcome = await engine.fetchOutcome(attemptId);
  if (outcome === null) return null;
  line.missing.delete(attemptId);
  line.watch.end(attemptId);
  const begun = await engine.readStart(attemptId);
  await line.images.remove(attemptId);
  const pages = begun?.pages ?? null;
  const lineResult = lineResultOf(account, outcome, pages);
  const ecm = agreedEcm(line, attemptId, outcome);
  return { ...reportOfCall(attemptId, { ...outcome, ecm }, pages), ...(lineResult && { lineResult }) };
}

/** Returns false when error correction was not requested; else what the session reported, null when it was not read. */
function agreedEcm(line: Line, attemptId: string, { ecm }: CallOutcome): boolean | null {
  const agreed = line.agreedEcm.get(attemptId) ?? null;
  line.agreedEcm.delete(attemptId);
  return ecm === false ? false : agreed;
}

/** Reports a call without channel and outcome as lost; null within the grace period. */
async function reportLostCall(
  line: Line,
  engine: Engine,
  attemptId: string,
): Promise<TransportReport | null> {
  const now = line.clock.now();
  const since = line.missing.get(attemptId) ?? now;
  line.missing.set(attemptId, since);
  if (now >= since && now - since < GRACE_MS) return null;
  const begun = await engine.readStart(attemptId);
  const wasAnswered = begun === null ? null : await engine.wasAnswered(attemptId);
  line.missing.delete(attemptId);
  await line.images.remove(attemptId);
  return reportOfLostCall(attemptId, wasAnswered);
}

function inProgress(reference: string, rawStatus: string): TransportReport {
  return {
    reference,
    outcome: 'in_progress',
    rawStatus,
    ...EMPTY_REPORT,
  };
}

/**
 * Searches the engine for the attempt of a fax whose call may or may not have started. Where the engine has neither an
 * image nor a record of it, no call was started. Throws TransportError.
 */
export async function findSent(line: Line, account: SipAccount, search: SentSearch): Promise<FoundFax[]> {
  const { attemptId } = search;
  const engine = line.engines.forAccount(account);
  try {
    const report =
      (await readReport(line, account, attemptId)) ??
      ((await mayHaveStarted(line, engine, attemptId))
        ? await reportLostCall(line, engine, attemptId)
        : reportNeverStarted(attemptId));
    if (report === null) return [];
    return [{ report, attemptId, beganAt: null, documentPages: null, callbackUrl: null }];
  } catch (error) {
    throw queryFailure(error);
  }
}

/** Returns true when the call may have started: its image and its record at the engine are written before. */
async function mayHaveStarted(line: Line, engine: Engine, attemptId: string): Promise<boolean> {
  return (await line.images.has(attemptId)) || (await engine.readStart(attemptId)) !== null;
}

function reportNeverStarted(attemptId: string): TransportReport {
  const failure = 'Faxdesk stopped before the call started.';
  return { ...inProgress(attemptId, 'never begun'), outcome: 'failed', failure, noPageTransmitted: true };
}
