import type { ProviderAccount } from '../../../adapters/providers/provider-port.ts';
import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { TransportError } from '../../outbound/transport-port.ts';
import { fetchJob, fetchOf } from '../fetch-queue.ts';
import type { InboundParts } from '../parts.ts';
import type { Receiver } from '../port.ts';
import type { ReceivedReport } from '../receiving-port.ts';
import { findOfProvider, listOverdue } from '../store/fax-store.ts';
import { lastPoll, savePoll } from '../store/poll-store.ts';
import { removedAmong } from '../store/removal-store.ts';
import type { FaxRow } from '../types.ts';
import { providerReport } from './provider-report.ts';
import { type RecordParts, record } from './record.ts';

type PollParts = RecordParts & Pick<InboundParts, 'settings' | 'watch' | 'logger'>;

const MINUTE_MS = 60_000;
/** Overlap of polls: clocks differ, and a fax may enter the list of the provider a little later than its time. */
const OVERLAP_MS = 15 * MINUTE_MS;
/** Period that the first check of an account covers. */
const FIRST_MS = 24 * 60 * MINUTE_MS;
/** Delay after which an overdue fetch counts as lost between two transactions. */
const OVERDUE_MS = 2 * MINUTE_MS;
/** Interval for polling a provider that also notifies. */
const SCAN_MS = 15 * MINUTE_MS;
/** Maximum delay of a notification. */
const GRACE_MS = 2 * MINUTE_MS;
const BATCH = 200;

/**
 * Runs every minute while receiving is on: polls the providers that cannot notify, and every quarter of an hour those
 * that can, for faxes that they did not report.
 */
export function definePoll(parts: PollParts): Schedule {
  const { db, queue, clock, settings, reportProblems } = parts;
  return schedule({
    kind: 'inbound.poll',
    everyMs: () => (settings.enabled() ? MINUTE_MS : 0),
    async run() {
      // Without the data key, records could not be sealed.
      if (parts.seal.problem !== null) return;
      await requeueOverdue(parts);
      await pollAll(parts);
      await reportProblems.flush();
    },
    db,
    queue,
    clock,
  });
}

/**
 * Returns true when a provider is polled for received faxes every minute: by the settings, or because it cannot notify.
 */
export function isPolled({ settings }: Pick<InboundParts, 'settings'>, receiver: Receiver): boolean {
  const mode = settings.polling();
  if (!settings.enabled() || mode === 'off') return false;
  return mode === 'on' || !mayNotify({ settings }, receiver);
}

/** Returns true when its notifications can reach the gateway and be verified. */
export function mayNotify({ settings }: Pick<InboundParts, 'settings'>, receiver: Receiver): boolean {
  return receiver.notifies && settings.publicUrl() !== null && receiver.isVerifiable();
}

async function pollAll(parts: PollParts): Promise<void> {
  if (parts.settings.polling() === 'off') return;
  for (const receiver of Object.values(parts.receivers)) {
    const account = receiver.account();
    if (typeof account !== 'string') await pollProvider(parts, receiver, account);
  }
}

/** Polls a provider. A failure does not affect the other providers, and the next poll begins where this one did. */
async function pollProvider(parts: PollParts, receiver: Receiver, account: ProviderAccount): Promise<void> {
  const began = parts.clock.now();
  const last = await lastPoll(parts.db.read, account.accountId);
  const polled = isPolled(parts, receiver);
  if (!polled && last !== null && began - epochOf(last) < SCAN_MS) return;
  const since = last === null ? began - FIRST_MS : epochOf(last) - OVERLAP_MS;
  const reports = await listReceived(parts, receiver, account, since);
  if (reports === null) return;
  // Faxes from before the first check could not have been notified.
  const due = polled || last === null ? null : began - GRACE_MS;
  for (let i = 0; i < reports.length; i += BATCH)
    await recordReports(parts, account, { reports: reports.slice(i, i + BATCH), due });
  await parts.db.transaction((tx) => savePoll(tx, account.accountId, isoTime(began)));
}

/** Lists the received faxes; null when the provider cannot be reached. */
async function listReceived(
  parts: Pick<InboundParts, 'watch' | 'logger'>,
  { backend, provider }: Receiver,
  account: ProviderAccount,
  since: number,
): Promise<ReceivedReport[] | null> {
  try {
    const reports = await provider.listReceived(account, isoTime(since));
    parts.watch.recordResponse(backend);
    return reports;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    parts.watch.recordFailure(backend, { isRefusal: error.accountProblem !== null });
    parts.logger.warn({ error, backend }, 'received faxes could not be listed');
    return null;
  }
}

/**
 * Records the reports of a poll. The provider should have notified of faxes that ended before `due`; null when it could
 * not.
 */
async function recordReports(
  parts: PollParts,
  account: ProviderAccount,
  { reports, due }: { reports: readonly ReceivedReport[]; due: number | null },
): Promise<void> {
  const ids = reports.map(({ providerId }) => providerId);
  const known = await findOfProvider(parts.db.read, account.accountId, ids);
  const removed = await removedAmong(parts.db.read, account.accountId, ids);
  for (const report of reports) {
    if (removed.has(report.providerId)) continue;
    const row = known.get(report.providerId);
    if (row && !hasNewFacts(row, report)) continue;
    // Its notification is still on its way; if it gets lost, the next scan finds the fax.
    if (!row && due !== null && isRecent(report, due)) continue;
    const isUnreported = !row && due !== null;
    const common = { report, account, checkedBy: 'listing', notification: null, hasDocument: false } as const;
    await record(
      parts,
      providerReport({
        ...common,
        vendor: parts.receivers[account.backend]?.name ?? 'The provider',
        isUnreported,
      }),
    );
  }
}

function isRecent({ state, completedAt }: ReceivedReport, due: number): boolean {
  return state === 'receiving' || (completedAt !== null && epochOf(completedAt) > due);
}

/** Returns true when a report adds to what is stored; most entries of a list were recorded by the last poll. */
function hasNewFacts(row: FaxRow, report: ReceivedReport): boolean {
  if (row.status === 'received') return false;
  return row.source_complete === 0 && report.state === 'complete';
}

/** Queues an attempt for each fax whose next attempt is overdue; one that is queued already stays. */
async function requeueOverdue(parts: Pick<InboundParts, 'db' | 'queue' | 'clock'>): Promise<void> {
  const before = isoTime(parts.clock.now() - OVERDUE_MS);
  for (const id of await listOverdue(parts.db.read, { before, limit: BATCH }))
    await parts.db.transaction((tx) => parts.queue.enqueue(tx, fetchJob, fetchOf(id, parts.clock.now())));
}
