import type { WriteTx } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { localIsoMonth } from '../../../platform/local-days.ts';
import type { RemovedFax } from '../../outbound/service.ts';
import type { ArchivesParts } from '../parts.ts';
import {
  addTotals,
  changeRemoval,
  deletePlanned,
  findRemoval,
  nextPlanned,
  type RemovalRow,
  recordProgress,
} from '../store.ts';
import { decide } from './reasons.ts';

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
  const removal = await findRemoval(tx, removalId);
  if (removal?.state !== 'running') return OVER;
  const faxes = await nextPlanned(tx, removalId, BATCH);
  const last = faxes.at(-1);
  if (last === undefined) {
    await finish(parts, tx, removal);
    return OVER;
  }
  const { leaving, staying, gone } = await decide(parts, tx, faxes);
  const idsOf = (direction: 'sent' | 'received') =>
    leaving.flatMap((fax) => (fax.direction === direction ? fax.fax_id : []));
  const removed = await removeFaxes(parts, tx, idsOf('sent'), idsOf('received'));
  await addTotals(tx, [
    ...totalsOf(parts, 'sent', removed.sent),
    ...totalsOf(parts, 'received', removed.received),
  ]);
  await deletePlanned(tx, removalId, last.position);
  const reasons = JSON.parse(removal.staying) as Record<string, number>;
  for (const reason of staying.values()) reasons[reason] = (reasons[reason] ?? 0) + 1;
  await recordProgress(tx, removalId, {
    waiting: Math.max(0, removal.waiting - faxes.length),
    removed_sent: removal.removed_sent + removed.sent.length,
    removed_received: removal.removed_received + removed.received.length,
    gone: removal.gone + gone.length,
    staying: JSON.stringify(reasons),
  });
  return { documents: removed.documents, isOver: false };
}

async function finish({ clock, audit }: ArchivesParts, tx: WriteTx, removal: RemovalRow): Promise<void> {
  await changeRemoval(tx, removal, { state: 'done', waiting: 0, ended_at: isoTime(clock.now()) });
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
  { outbound, inbound, intake, work, telephony }: ArchivesParts,
  tx: WriteTx,
  sentIds: readonly string[],
  receivedIds: readonly string[],
) {
  const sent =
    sentIds.length === 0
      ? { faxes: [], attemptIds: [], documents: [] }
      : await outbound.archiving.remove(tx, sentIds);
  await telephony.archiving.remove(tx, { attemptIds: sent.attemptIds, receivedIds, sentIds });
  await intake.removeOf(tx, receivedIds);
  await work.archiving.remove(tx, receivedIds);
  const received =
    receivedIds.length === 0 ? { faxes: [], documents: [] } : await inbound.archiving.remove(tx, receivedIds);
  return {
    sent: sent.faxes,
    received: received.faxes,
    documents: [...sent.documents, ...received.documents],
  };
}

function totalsOf(
  { timeZone }: Pick<ArchivesParts, 'timeZone'>,
  direction: 'sent' | 'received',
  faxes: readonly RemovedFax[],
) {
  const keyed = Map.groupBy(
    faxes,
    ({ at, outcome }) => `${localIsoMonth(epochOf(at), timeZone())} ${outcome}`,
  );
  return [...keyed].map(([key, of]) => {
    const [month = '', outcome = ''] = key.split(' ');
    return {
      month,
      direction,
      outcome,
      faxes: of.length,
      pages: of.reduce((sum, { pages }) => sum + pages, 0),
    };
  });
}
