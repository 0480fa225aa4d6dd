import {
  EMPTY_REPORT,
  type FoundFax,
  type SentSearch,
  type TransportReport,
} from '../../../features/outbound/transport-port.ts';
import type { SipAccount } from './account.ts';
import type { Engine, LiveCall } from './engine.ts';
import { questionFailure } from './failures.ts';
import { reportOfCall, reportOfLostCall } from './fax-report.ts';
import { lessonOf } from './lesson.ts';
import type { Line } from './line.ts';
import type { CallOutcome } from './outcome-record.ts';

/** Between the end of a channel and the note of its outcome, and before a call that was begun has its channel. */
const GRACE_MS = 60_000;

/**
 * Fetches the state of a call. The outcome that the engine recorded comes first, then whether the call exists. A call
 * with neither is lost after a grace period. Throws TransportError.
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
    throw questionFailure(error);
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

/** By the note or the living call; null where there is neither. */
async function readReport(
  line: Line,
  account: SipAccount,
  attemptId: string,
): Promise<TransportReport | null> {
  const engine = line.engines.forAccount(account);
  // First whether it lives: a call that ends meanwhile has its note then.
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
  const lesson = lessonOf(account, outcome, pages);
  const ecm = agreedEcm(line, attemptId, outcome);
  return { ...reportOfCall(attemptId, { ...outcome, ecm }, pages), ...(lesson && { lesson }) };
}

/**
 * Returns false where error correction was not requested; else what the session reported, where the gateway looked at
 * it.
 */
function agreedEcm(line: Line, attemptId: string, { ecm }: CallOutcome): boolean | null {
  const agreed = line.agreedEcm.get(attemptId) ?? null;
  line.agreedEcm.delete(attemptId);
  return ecm === false ? false : agreed;
}

/** Of a call that is not there; null while that may be a gap. */
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
 * Searches the engine for the attempt of a fax whose call may or may not have been begun. Where the engine has neither
 * an image nor a record of it, no call was begun. Throws TransportError.
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
    throw questionFailure(error);
  }
}

/** A call is begun after both: the note at the engine, and the image that it reads. */
async function mayHaveStarted(line: Line, engine: Engine, attemptId: string): Promise<boolean> {
  return (await line.images.has(attemptId)) || (await engine.readStart(attemptId)) !== null;
}

function reportNeverStarted(attemptId: string): TransportReport {
  const failure = 'Faxdesk stopped before the call was begun.';
  return { ...inProgress(attemptId, 'never begun'), outcome: 'failed', failure, noPageTransmitted: true };
}
