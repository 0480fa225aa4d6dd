import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { PartnerRow } from '../types.ts';

export async function insertPartner(tx: WriteTx, row: PartnerRow): Promise<void> {
  await tx.insertInto('direct_partner').values(row).execute();
}

export async function findPartner(db: ReadDb, id: string): Promise<PartnerRow | undefined> {
  return db.selectFrom('direct_partner').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds a partner for a change in the same transaction, which others wait for. */
export async function lockPartner(
  tx: WriteTx,
  { soleProcess }: Capabilities,
  id: string,
): Promise<PartnerRow | undefined> {
  const query = tx.selectFrom('direct_partner').selectAll().where('id', '=', id);
  return (soleProcess ? query : query.forUpdate()).executeTakeFirst();
}

/** Finds the partner whose card has the signing key, removed or not. */
export async function findPartnerByKey(db: ReadDb, signingKey: string): Promise<PartnerRow | undefined> {
  return db.selectFrom('direct_partner').selectAll().where('signing_key', '=', signingKey).executeTakeFirst();
}

/**
 * Finds the partner who signs with the key at this time: the present one, or one that they replaced and that is still
 * accepted. Removed partners are found as well.
 */
export async function findSender(
  db: ReadDb,
  signingKey: string,
  at: string,
): Promise<PartnerRow | undefined> {
  const present = await findPartnerByKey(db, signingKey);
  if (present) return present;
  return db
    .selectFrom('direct_partner')
    .selectAll()
    .where('previous_signing_key', '=', signingKey)
    .where('previous_until', '>', at)
    .orderBy('previous_until', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Finds the partner to whom faxes to the number (E.164) go directly at this time: the one whose number was confirmed last.
 */
export async function findConfirmedPartner(
  db: ReadDb,
  number: string,
  at: string,
): Promise<PartnerRow | undefined> {
  return db
    .selectFrom('direct_partner')
    .selectAll()
    .where('fax_number', '=', number)
    .where('revoked_at', 'is', null)
    .where('number_confirmed_at', 'is not', null)
    .where('expires_at', '>', at)
    .orderBy('number_confirmed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Lists all partners, the newest first. */
export async function listPartners(db: ReadDb): Promise<PartnerRow[]> {
  return db
    .selectFrom('direct_partner')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function countPartners(db: ReadDb): Promise<number> {
  const { count } = await db
    .selectFrom('direct_partner')
    .select((is) => is.fn.countAll<number | bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Columns of a partner that change. */
export type PartnerChange = Partial<Omit<PartnerRow, 'id' | 'version'>> & Pick<PartnerRow, 'updated_at'>;

/** Moves the version on. False when the partner changed since that version. */
export async function updatePartner(
  tx: WriteTx,
  { id, version }: Pick<PartnerRow, 'id' | 'version'>,
  change: PartnerChange,
): Promise<boolean> {
  const result = await tx
    .updateTable('direct_partner')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Records the time of a document (ISO), unless a later exchange is recorded. The version stays: nobody's change depends on it. */
export async function markExchange(tx: WriteTx, id: string, at: string): Promise<void> {
  await tx
    .updateTable('direct_partner')
    .set({ last_exchange_at: at })
    .where('id', '=', id)
    .where((is) => is.or([is('last_exchange_at', 'is', null), is('last_exchange_at', '<', at)]))
    .execute();
}
