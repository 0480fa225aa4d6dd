import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { ArchivesParts } from '../parts.ts';
import {
  changeRemoval,
  deletePlanned,
  lockRemoval,
  nextPlanned,
  type RemovalRow,
  recordProgress,
} from '../store.ts';
import { decide, type RemovableFax } from './reasons.ts';

/** Faxes that leave in one transaction: others wait for it on SQLite. */
const BATCH = 20;

interface Batch {
  /** Documents to delete after the commit. */
  readonly documents: readonly string[];
  /** Nothing is left to do, or a person stopped it. */
  readonly isOver: boolean;
}

const OVER: Batch = { documents: [], isOver: true };

/**
 * Removes the next faxes of a removal in one transaction, each after another look at it: one that changed since, or came under a
 * legal hold, stays.
 */
export async function removeBatch(parts: ArchivesParts, tx: WriteTx, removalId: string): Promise<Batch> {
  const removal = await lockRemoval(tx, parts.db.capabilities, removalId);
  if (removal?.state !== 'running') return OVER;
  const faxes = await nextPlanned(tx, removalId, BATCH);
  const last = faxes.at(-1);
  if (last === undefined) {
    await finish(parts, tx, removal);
    return OVER;
  }
  await lockAll(parts, tx, faxes);
  const { leaving, staying, gone } = await decide(parts, tx, faxes);
  const idsOf = (direction: 'sent' | 'received') =>
    leaving.flatMap((fax) => (fax.direction === direction ? fax.fax_id : []));
  const removed = await removeFaxes(parts, tx, removal, {
    sentIds: idsOf('sent'),
    receivedIds: idsOf('received'),
  });
  await deletePlanned(tx, removalId, last.position);
  const reasons = JSON.parse(removal.staying) as Record<string, number>;
  for (const reason of staying.values()) reasons[reason] = (reasons[reason] ?? 0) + 1;
  await recordProgress(tx, removalId, {
    waiting: Math.max(0, removal.waiting - faxes.length),
    removed_sent: removal.removed_sent + removed.sent,
    removed_received: removal.removed_received + removed.received,
    gone: removal.gone + gone.length,
    staying: JSON.stringify(reasons),
  });
  return { documents: removed.documents, isOver: false };
}

/** No hold is placed, and nobody changes these faxes, until they have left. */
async function lockAll(
  { holds, outbound, inbound, work }: ArchivesParts,
  tx: WriteTx,
  faxes: readonly RemovableFax[],
): Promise<void> {
  const ids = faxes.map(({ fax_id }) => fax_id);
  await holds.lock(tx);
  await outbound.archiving.lock(tx, ids);
  await inbound.archiving.lock(tx, ids);
  await work.archiving.lock(tx, ids);
}

async function finish({ clock, audit }: ArchivesParts, tx: WriteTx, removal: RemovalRow): Promise<void> {
  const ended = await changeRemoval(tx, removal, {
    state: 'done',
    waiting: 0,
    ended_at: isoTime(clock.now()),
  });
  if (!ended) return;
  await audit.record(tx, {
    actor: { id: null, name: 'Faxdesk' },
    credentialKind: 'none',
    policyVersion: 0,
    requestId: null,
    operation: 'archive.removed',
    target: { kind: 'archive', id: removal.id },
    outcome: 'done',
    details: {
      year: String(removal.year),
      ...(removal.month !== null && { month: String(removal.month) }),
      sent: String(removal.removed_sent),
      received: String(removal.removed_received),
      archive: removal.digest ?? '',
    },
  });
}

/** Removes faxes with everything of theirs: what belongs to a received fax goes before it. */
async function removeFaxes(
  { outbound, inbound, intake, printRules, work, telephony }: ArchivesParts,
  tx: WriteTx,
  archive: RemovalRow,
  { sentIds, receivedIds }: { sentIds: readonly string[]; receivedIds: readonly string[] },
) {
  const sent =
    sentIds.length === 0
      ? { count: 0, attemptIds: [], documents: [] }
      : await outbound.archiving.remove(tx, sentIds, archive);
  await telephony.archiving.remove(tx, { attemptIds: sent.attemptIds, receivedIds, sentIds });
  await intake.removeOf(tx, receivedIds);
  await printRules.removeOf(tx, receivedIds);
  await work.archiving.remove(tx, receivedIds);
  const received =
    receivedIds.length === 0
      ? { count: 0, documents: [] }
      : await inbound.archiving.remove(tx, receivedIds, archive);
  return {
    sent: sent.count,
    received: received.count,
    documents: [...sent.documents, ...received.documents],
  };
}
