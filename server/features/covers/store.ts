import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { CoverRow } from './types.ts';

/** A row without its files, which lists leave out. */
export type CoverSummaryRow = Omit<CoverRow, 'logo' | 'pdf'> & { readonly has_logo: boolean };

/** Lists the stored cover pages by name. */
export async function listCovers(db: ReadDb): Promise<CoverSummaryRow[]> {
  const rows = await db
    .selectFrom('cover')
    .select(['id', 'name', 'sort_name', 'kind', 'title', 'fields', 'text', 'notice', 'form_fields'])
    .select(['version', 'created_at', 'updated_at'])
    .select((eb) => eb('logo', 'is not', null).as('has_logo'))
    .orderBy('sort_name')
    .execute();
  return rows.map((row) => ({ ...row, has_logo: Boolean(row.has_logo) }));
}

export async function countCovers(db: ReadDb): Promise<number> {
  const { n } = await db
    .selectFrom('cover')
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function findCover(db: ReadDb, id: string): Promise<CoverRow | undefined> {
  return db.selectFrom('cover').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertCover(tx: WriteTx, row: CoverRow): Promise<void> {
  await tx.insertInto('cover').values(row).execute();
}

/** Changes a cover page and moves its version on. False when it changed since `version`. */
export async function updateCover(
  tx: WriteTx,
  { id, version }: Pick<CoverRow, 'id' | 'version'>,
  change: Partial<CoverRow>,
): Promise<boolean> {
  const result = await tx
    .updateTable('cover')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when it changed since `version`. */
export async function deleteCover(
  tx: WriteTx,
  { id, version }: Pick<CoverRow, 'id' | 'version'>,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('cover')
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
