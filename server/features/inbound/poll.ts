import { type ProviderAccount, ProviderError } from '../../adapters/providers/port.ts';
import type { ReceivedReport } from '../../adapters/providers/receiving-port.ts';
import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import type { InboundParts } from './parts.ts';
import type { Receiver } from './port.ts';
import { providerReport } from './provider-report.ts';
import { fetchJob, fetchOf } from './queued.ts';
import { record } from './record.ts';
import { findOfProvider, listOverdue } from './store/fax-store.ts';
import { lastLook, saveLook } from './store/look-store.ts';
import type { FaxRow } from './types.ts';

const MINUTE_MS = 60_000;
/** Clocks differ, and a fax may enter the list of the provider a little later than its time says. */
const OVERLAP_MS = 15 * MINUTE_MS;
/** What the first look at an account reaches back. */
const FIRST_MS = 24 * 60 * MINUTE_MS;
/** A fetch that is overdue by so much was lost between two transactions. */
const STRAY_MS = 2 * MINUTE_MS;
const BATCH = 200;

/** Every minute while receiving is on: looks for faxes at the providers when they cannot tell of them. */
export function definePoll(parts: InboundParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'inbound.poll',
    everyMs: () => (settings.enabled() ? MINUTE_MS : 0),
    async run() {
      await wakeStrays(parts);
      if (isPolling(parts)) await pollAll(parts);
    },
    db,
    queue,
    clock,
  });
}

/** Whether received faxes are looked for at the providers. */
export function isPolling({ settings }: Pick<InboundParts, 'settings'>): boolean {
  const wish = settings.polling();
  return settings.enabled() && (wish === 'on' || (wish === 'auto' && settings.publicUrl() === null));
}

async function pollAll(parts: InboundParts): Promise<void> {
  for (const receiver of Object.values(parts.receivers)) {
    const account = receiver?.account();
    if (!receiver || account === undefined || typeof account === 'string') continue;
    await pollOne(parts, receiver, account);
  }
}

/** A provider that cannot be asked does not keep the others from being asked; the next look begins where this one did. */
async function pollOne(parts: InboundParts, { backend, provider }: Receiver, account: ProviderAccount) {
  const began = parts.clock.now();
  const last = await lastLook(parts.db.read, account.accountId);
  const since = last === null ? began - FIRST_MS : epochOf(last) - OVERLAP_MS;
  let reports: ReceivedReport[];
  try {
    reports = await provider.listReceived(account, isoTime(since));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    parts.watch.failed(backend);
    parts.logger.warn({ error, backend }, 'received faxes could not be listed');
    return;
  }
  parts.watch.answered(backend);
  for (let i = 0; i < reports.length; i += BATCH) await enter(parts, account, reports.slice(i, i + BATCH));
  await parts.db.transaction((tx) => saveLook(tx, account.accountId, isoTime(began)));
}

async function enter(parts: InboundParts, account: ProviderAccount, reports: readonly ReceivedReport[]) {
  const ids = reports.map(({ providerId }) => providerId);
  const known = await findOfProvider(parts.db.read, account.accountId, ids);
  for (const report of reports) {
    const row = known.get(report.providerId);
    if (row && !tellsMore(row, report)) continue;
    const told = { report, account, checkedBy: 'listing', notification: null, hasDocument: false } as const;
    await record(parts, providerReport(told));
  }
}

/** Most of a list was seen a minute ago. */
function tellsMore(row: FaxRow, report: ReceivedReport): boolean {
  if (row.status === 'received') return false;
  return row.source_complete === 0 && report.state === 'complete';
}

/** A fax whose next attempt is overdue gets one; where one waits already, that one stays. */
async function wakeStrays(parts: InboundParts): Promise<void> {
  const before = isoTime(parts.clock.now() - STRAY_MS);
  for (const id of await listOverdue(parts.db.read, { before, limit: BATCH }))
    await parts.db.transaction((tx) => parts.queue.enqueue(tx, fetchJob, fetchOf(id, parts.clock.now())));
}
