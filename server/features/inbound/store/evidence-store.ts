import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { InboundEvidenceTable } from '../../../db/schema/inbound.ts';
import { newId } from '../../../platform/ids.ts';

export type Evidence = Omit<InboundEvidenceTable, 'id' | 'fax_id' | 'position'>;

export async function addEvidence(tx: WriteTx, faxId: string, evidence: Evidence): Promise<void> {
  await tx
    .insertInto('inbound_evidence')
    .values((eb) => ({
      id: newId(),
      fax_id: faxId,
      ...evidence,
      position: eb
        .selectFrom('inbound_evidence')
        .select((row) => row(row.fn.coalesce(row.fn.max('position'), row.lit(0)), '+', row.lit(1)).as('next'))
        .where('fax_id', '=', faxId),
    }))
    .execute();
}

/** Oldest first, in the order of recording. */
export async function listEvidence(db: ReadDb, faxId: string): Promise<InboundEvidenceTable[]> {
  return db
    .selectFrom('inbound_evidence')
    .selectAll()
    .where('fax_id', '=', faxId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** How much of one kind is recorded of a fax, and whether exactly this is among it. */
export async function knownEvidence(
  db: ReadDb,
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
    (row) => row.notification === wanted.notification && row.sha256 === wanted.sha256,
  );
  return { count: rows.length, isKnown };
}

/** The faxes with an entry after `evidenceId`, whoever made it: ids follow the time, so this reads an index's end. */
export async function changedSince(
  db: ReadDb,
  evidenceId: string,
  limit: number,
): Promise<{ id: string; version: number; mailbox_id: string | null }[]> {
  const changed = db.selectFrom('inbound_evidence').select('fax_id').where('id', '>', evidenceId);
  return db
    .selectFrom('inbound_fax')
    .select(['id', 'version', 'mailbox_id'])
    .where('id', 'in', changed)
    .limit(limit)
    .execute();
}
