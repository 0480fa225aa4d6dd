import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareQuery, type ValueOf } from '../../../db/prepared-query.ts';
import type { InboundEvidenceTable } from '../../../db/schema/inbound.ts';
import { newId } from '../../../platform/ids.ts';
import type { Seal } from '../../../platform/seal.ts';
import type { FaxRow } from '../types.ts';

type Evidence = Omit<InboundEvidenceTable, 'id' | 'fax_id' | 'position'>;

/** Reports of a source may name people and numbers and are never searched, so they are sealed. */
const contextOf = (faxId: string): string => `evidence of ${faxId}`;

const insertNext = prepareQuery((tx: WriteTx, value: ValueOf<Evidence & { id: string; faxId: string }>) =>
  tx.insertInto('inbound_evidence').values((eb) => ({
    id: value('id'),
    fax_id: value('faxId'),
    kind: value('kind'),
    occurred_at: value('occurred_at'),
    checked_by: value('checked_by'),
    actor: value('actor'),
    text: value('text'),
    notification: value('notification'),
    sha256: value('sha256'),
    size_bytes: value('size_bytes'),
    position: eb
      .selectFrom('inbound_evidence')
      .select((row) => row(row.fn.coalesce(row.fn.max('position'), row.lit(0)), '+', row.lit(1)).as('next'))
      .where('fax_id', '=', value('faxId')),
  })),
);

export async function addEvidence(tx: WriteTx, seal: Seal, faxId: string, evidence: Evidence): Promise<void> {
  const { notification } = evidence;
  await insertNext(tx, {
    ...evidence,
    id: newId(),
    faxId,
    notification: notification === null ? null : seal.seal(notification, contextOf(faxId)),
  });
}

/** Lists the evidence in the order of recording, oldest first, with the original notifications. */
export async function listEvidence(db: ReadDb, seal: Seal, faxId: string): Promise<InboundEvidenceTable[]> {
  const rows = await db
    .selectFrom('inbound_evidence')
    .selectAll()
    .where('fax_id', '=', faxId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, notification: opened(seal, faxId, row.notification) }));
}

/** Lists kind and time of the evidence, oldest first. */
export async function listEvidenceTimes(
  db: ReadDb,
  faxId: string,
): Promise<Pick<InboundEvidenceTable, 'kind' | 'occurred_at'>[]> {
  return db
    .selectFrom('inbound_evidence')
    .select(['kind', 'occurred_at'])
    .where('fax_id', '=', faxId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

function opened(seal: Seal, faxId: string, notification: string | null): string | null {
  return notification === null ? null : seal.open(notification, contextOf(faxId));
}

/** Counts the entries of one kind for a fax. `isKnown` is true when the same entry is among them. */
export async function knownEvidence(
  db: ReadDb,
  seal: Seal,
  faxId: string,
  wanted: Pick<Evidence, 'kind' | 'notification' | 'sha256'>,
): Promise<{ count: number; isKnown: boolean }> {
  const rows = await db
    .selectFrom('inbound_evidence')
    .select(['notification', 'sha256'])
    .where('fax_id', '=', faxId)
    .where('kind', '=', wanted.kind)
    .execute();
  const isKnown = rows.some(
    (row) => row.sha256 === wanted.sha256 && opened(seal, faxId, row.notification) === wanted.notification,
  );
  return { count: rows.length, isKnown };
}

/**
 * Lists the faxes with an entry after `evidenceId` from any gateway: ids follow the time, so this reads an index's end.
 */
export async function changedSince(
  db: ReadDb,
  evidenceId: string,
  limit: number,
): Promise<Pick<FaxRow, 'id' | 'version' | 'mailbox_id' | 'test'>[]> {
  const changed = db.selectFrom('inbound_evidence').select('fax_id').where('id', '>', evidenceId);
  return db
    .selectFrom('inbound_fax')
    .select(['id', 'version', 'mailbox_id', 'test'])
    .where('id', 'in', changed)
    .limit(limit)
    .execute();
}
