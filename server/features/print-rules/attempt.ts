import type { WriteTx } from '../../db/database.ts';
import { beginHandOver } from '../../jobs/work-permit.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { nextOpen } from '../../platform/local-hours.ts';
import { change } from './change.ts';
import {
  failedSubmission,
  failure,
  followedResult,
  forgottenResult,
  formatResult,
  type PrintResult,
  SETTLE_MS,
  searchedResult,
  troubledResult,
  unansweredResult,
  waitingResult,
} from './outcome.ts';
import type { PrintParts } from './parts.ts';
import { type PrintedPages, withPages } from './printed-pages.ts';
import { PrinterError, type PrinterStatus } from './printer-port.ts';
import { hoursOf } from './rule-hours.ts';
import { FAILED, WAITS } from './sentences.ts';
import { findPrintout } from './store/printout-store.ts';
import { findPrintRule } from './store/rule-store.ts';
import type { PrintoutRow, PrintRuleRow } from './types.ts';

const HOUR_MS = 3_600_000;

/** A step of a printout with its result, and the printout as the step has read or written it last. */
interface Step {
  readonly seen: PrintoutRow;
  readonly result: PrintResult;
}

/**
 * Takes a printout one step further: submits it, searches for what a lost connection left, or looks whether it was printed.
 * Null when there is nothing to do, as for one that was deleted with its fax. The result is recorded by `recordStep`.
 */
export async function takeStep(parts: PrintParts, id: string, signal: AbortSignal): Promise<Step | null> {
  const printout = await findPrintout(parts.db.read, id);
  if (!printout) return null;
  const attempt = { printout };
  const result = await stepOf(parts, attempt, signal).catch((error: unknown) => {
    if (error instanceof PrinterError)
      return unansweredResult(attempt.printout, error.fault, parts.clock.now());
    throw error;
  });
  return result === null ? null : { seen: attempt.printout, result };
}

/** The printout as the attempt has read or written it last. */
interface Attempt {
  printout: PrintoutRow;
}

async function stepOf(parts: PrintParts, attempt: Attempt, signal: AbortSignal): Promise<PrintResult | null> {
  const { printout } = attempt;
  if (printout.state === 'waiting') return await submit(parts, attempt, signal);
  if (printout.state === 'submitting') return await search(parts, printout, signal);
  if (printout.state === 'accepted') return await follow(parts, printout, signal);
  return null;
}

async function submit(parts: PrintParts, attempt: Attempt, signal: AbortSignal): Promise<PrintResult> {
  const { printout } = attempt;
  const rule = await findPrintRule(parts.db.read, printout.rule_id);
  if (!rule) return failure(FAILED.ruleRemoved);
  if (rule.enabled === 0) return waitingResult(printout, WAITS.off);
  const closedMs = closedFor(parts, rule);
  if (closedMs > 0) return { changes: { problem: WAITS.hours, failures: 0 }, waitMs: closedMs };
  const { printer, printer_url: url } = rule;
  const status = await parts.printers.describe(url, signal);
  if (status.fault !== null) return troubledResult(printout, status.fault);
  if (status.takes === null) return formatResult;
  const document = await documentOf(parts, printout);
  if (document === null) return failure(FAILED.documentDeleted);
  const use = (pages: PrintedPages) => handOver(parts, attempt, { pages, printer, url, status, signal });
  return await withPages(parts, { document, form: status.takes, signal }, use);
}

async function handOver(
  parts: PrintParts,
  attempt: Attempt,
  given: {
    readonly pages: PrintedPages;
    readonly printer: string;
    readonly url: string;
    readonly status: PrinterStatus;
    readonly signal: AbortSignal;
  },
): Promise<PrintResult> {
  const { printout } = attempt;
  const { pages, printer, url, status, signal } = given;
  const jobName = `Faxdesk ${newId()}`;
  try {
    await beginHandOver(parts.permit, async () => {
      attempt.printout = await begin(parts, printout, { printer, url, jobName, status });
    });
    return followedResult(printout, await parts.printers.submit(url, { jobName, ...pages }, signal));
  } catch (error) {
    if (error instanceof PrinterError) return failedSubmission(printout, error);
    throw error;
  }
}

/** Returns the milliseconds until the hours of a rule begin; 0 within them. */
function closedFor({ clock, timeZone }: PrintParts, rule: PrintRuleRow): number {
  const hours = hoursOf(rule);
  if (hours === null) return 0;
  const now = clock.now();
  return (nextOpen(hours, now, timeZone()) ?? now + HOUR_MS) - now;
}

/** Returns the name of the stored document; null when it was deleted. */
async function documentOf({ db, inbound }: PrintParts, { fax_id }: PrintoutRow): Promise<string | null> {
  return (await inbound.recorded(db.read, fax_id))?.fax.document ?? null;
}

/** Records the submission before it begins. If the gateway vanishes from here on, the printer is searched for the job. */
async function begin(
  parts: PrintParts,
  printout: PrintoutRow,
  given: { printer: string; url: string; jobName: string; status: PrinterStatus },
): Promise<PrintoutRow> {
  const { printer, url, jobName, status } = given;
  return await parts.db.transaction((tx) =>
    change(parts, tx, printout, {
      state: 'submitting',
      printer,
      printer_url: url,
      job_name: jobName,
      printer_job: null,
      printer_up_time: status.upTime,
      submitted_at: isoTime(parts.clock.now()),
      retry_at: null,
    }),
  );
}

async function search(parts: PrintParts, printout: PrintoutRow, signal: AbortSignal): Promise<PrintResult> {
  const begunMsAgo = parts.clock.now() - Date.parse(printout.submitted_at ?? '');
  // A printer may read on in what was left of the connection. After a clock that was set back it is asked at once.
  if (begunMsAgo >= 0 && begunMsAgo < SETTLE_MS) return { changes: {}, waitMs: SETTLE_MS - begunMsAgo };
  const wanted = { jobName: printout.job_name, begunMsAgo, begunAtUpTime: printout.printer_up_time };
  const found = await parts.printers.searchJob(printout.printer_url ?? '', wanted, signal);
  // Such a clock proves nothing about the time of the submission.
  return searchedResult(printout, begunMsAgo < 0 ? { ...found, isConclusive: false } : found);
}

async function follow(parts: PrintParts, printout: PrintoutRow, signal: AbortSignal): Promise<PrintResult> {
  const url = printout.printer_url ?? '';
  const found = await parts.printers.findJob(url, printout.printer_job ?? 0, signal);
  if (found === null)
    return forgottenResult(printout, await parts.printers.describe(url, signal), parts.clock.now());
  const result = followedResult(printout, found);
  if (result.changes.state !== 'accepted') return result;
  const { fault } = await parts.printers.describe(url, signal);
  return fault === null ? result : troubledResult(printout, fault);
}

/**
 * Records a step. Returns the epoch milliseconds of the next one; null when none is due, as for a fax that was deleted
 * meanwhile or a printout that another attempt took further.
 */
export async function recordStep(
  parts: Pick<PrintParts, 'db' | 'clock' | 'events' | 'logger'>,
  tx: WriteTx,
  { seen, result: { changes, waitMs } }: Step,
): Promise<number | null> {
  const printout = await findPrintout(tx, seen.id);
  // A late answer about an earlier submission says nothing about the present one.
  if (printout?.state !== seen.state || printout.job_name !== seen.job_name) return null;
  const now = parts.clock.now();
  const at = waitMs === null ? null : now + waitMs;
  const isSettled = changes.state === 'printed' || changes.state === 'given';
  // A job at a printer without a fault is looked at every few seconds: that is no next attempt.
  const isFollowed = changes.state === 'accepted';
  await change(parts, tx, printout, {
    ...changes,
    retry_at: at === null || isFollowed ? null : isoTime(at),
    ...(isSettled ? { printed_at: isoTime(now) } : {}),
  });
  logEnd(parts, tx, { printout, changes });
  return at;
}

/** Logs a printout that a person has to look after. */
function logEnd(
  { db, logger }: Pick<PrintParts, 'db' | 'logger'>,
  tx: WriteTx,
  { printout, changes: { state, problem } }: { printout: PrintoutRow; changes: PrintResult['changes'] },
): void {
  if (state !== 'doubtful' && state !== 'failed') return;
  const { id, fax_id, printer } = printout;
  const message = state === 'doubtful' ? 'a printout needs a check' : 'a fax was not printed';
  db.onCommit(tx, () => logger.warn({ printout: id, fax: fax_id, printer, reason: problem }, message));
}
