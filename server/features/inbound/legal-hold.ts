import type { ReadDb } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { HoldScope } from '../../platform/hold-scope.ts';
import { heldIds, nextCleanupAt } from '../holds/service.ts';
import type { HeldFacts, HeldFigures } from '../holds/types.ts';
import type { InboundParts } from './parts.ts';
import { countCovered, countDue } from './store/hold-store.ts';
import { findFaxes } from './store/list-store.ts';
import type { FaxRow } from './types.ts';

const DAY_MS = 24 * 3_600_000;

/** Returns the facts of a fax that decide about a legal hold. */
export function heldFactsOf(
  row: Pick<FaxRow, 'id' | 'from_number' | 'to_number' | 'mailbox_id' | 'received_at'>,
): HeldFacts {
  const { id, from_number, to_number, mailbox_id: mailboxId, received_at: at } = row;
  return { id, numbers: [from_number, to_number], caseId: null, mailboxId, at };
}

/** Returns the time before which a fax must have come for its document to be deleted; null while documents are kept. */
export function receivedBefore({ clock, settings }: Pick<InboundParts, 'clock' | 'settings'>): string | null {
  const days = settings.retentionDays();
  return days > 0 ? isoTime(clock.now() - days * DAY_MS) : null;
}

/** Returns those of the faxes that an open hold covers. Works inside a transaction. */
export async function heldAmong(
  { holds }: Pick<InboundParts, 'holds'>,
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const open = await holds.open(db);
  if (open.length === 0) return new Set();
  const faxes = [...(await findFaxes(db, ids)).values()];
  return heldIds(open, faxes.map(heldFactsOf));
}

/** Counts the faxes of a hold, and the documents that its release lets the next cleanup delete. */
export async function heldReceivedFaxes(
  parts: Pick<InboundParts, 'db' | 'clock' | 'settings'>,
  hold: HoldScope,
  others: readonly HoldScope[],
): Promise<Omit<HeldFigures, 'sent'>> {
  const { read } = parts.db;
  const before = receivedBefore(parts);
  const received = await countCovered(read, hold);
  if (before === null) return { received, documentsDue: 0, nextCleanupAt: null };
  const next = nextCleanupAt(parts.clock.now(), parts.settings.cleanupMinutes());
  return { received, documentsDue: await countDue(read, { hold, others, before }), nextCleanupAt: next };
}
