import type { ReadDb, WriteTx } from '../../db/database.ts';
import type {
  DefaultsRow,
  DraftFileRow,
  DraftKey,
  DraftRow,
  DraftSummaryRow,
  PhraseRow,
  SignatureFactsRow,
  SignatureRow,
  TourRow,
} from './types.ts';

/** Lists the drafts of a person without their content, newest first. */
export async function listDrafts(db: ReadDb, personId: string): Promise<DraftSummaryRow[]> {
  return db
    .selectFrom('desk_draft')
    .select(['person_id', 'id', 'name', 'template', 'saved_at'])
    .where('person_id', '=', personId)
    .orderBy('saved_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function findDraft(db: ReadDb, { person_id, id }: DraftKey): Promise<DraftRow | undefined> {
  return db
    .selectFrom('desk_draft')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists the documents of the drafts of a person, in order. */
export async function listDraftFiles(db: ReadDb, personId: string): Promise<DraftFileRow[]> {
  return db
    .selectFrom('desk_draft_file')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('draft_id')
    .orderBy('number')
    .execute();
}

export async function listFilesOf(db: ReadDb, { person_id, id }: DraftKey): Promise<DraftFileRow[]> {
  return db
    .selectFrom('desk_draft_file')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('draft_id', '=', id)
    .orderBy('number')
    .execute();
}

export async function insertDraft(tx: WriteTx, row: DraftRow, files: readonly DraftFileRow[]): Promise<void> {
  await tx.insertInto('desk_draft').values(row).execute();
  if (files.length > 0)
    await tx
      .insertInto('desk_draft_file')
      .values([...files])
      .execute();
}

/** False when there is none. */
export async function renameDraft(tx: WriteTx, { person_id, id }: DraftKey, name: string): Promise<boolean> {
  const result = await tx
    .updateTable('desk_draft')
    .set({ name })
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Deletes a draft. Returns the names of its documents, null when there is none. */
export async function deleteDraft(tx: WriteTx, key: DraftKey): Promise<string[] | null> {
  const files = await listFilesOf(tx, key);
  await tx
    .deleteFrom('desk_draft_file')
    .where('person_id', '=', key.person_id)
    .where('draft_id', '=', key.id)
    .execute();
  const result = await tx
    .deleteFrom('desk_draft')
    .where('person_id', '=', key.person_id)
    .where('id', '=', key.id)
    .executeTakeFirst();
  return result.numDeletedRows === 0n ? null : files.map(({ artifact }) => artifact);
}

/** Lists drafts that were saved before an ISO time and are no templates, oldest first. */
export async function listOldDrafts(db: ReadDb, before: string, limit: number): Promise<DraftKey[]> {
  return db
    .selectFrom('desk_draft')
    .select(['person_id', 'id'])
    .where('template', '=', 0)
    .where('saved_at', '<', before)
    .orderBy('saved_at')
    .limit(limit)
    .execute();
}

export async function keptDraftFiles(db: ReadDb, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom('desk_draft_file')
    .select('artifact')
    .where('artifact', 'in', names)
    .execute();
  return new Set(rows.map(({ artifact }) => artifact));
}

export async function hasDraftFile(db: ReadDb): Promise<boolean> {
  const row = await db.selectFrom('desk_draft_file').select('artifact').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function listPhrases(db: ReadDb, personId: string): Promise<PhraseRow[]> {
  return db.selectFrom('desk_phrase').selectAll().where('person_id', '=', personId).orderBy('id').execute();
}

export async function insertPhrase(tx: WriteTx, row: PhraseRow): Promise<void> {
  await tx.insertInto('desk_phrase').values(row).execute();
}

/** False when the person has none of this ID. */
export async function changePhrase(
  tx: WriteTx,
  { person_id, id, words }: Pick<PhraseRow, 'person_id' | 'id' | 'words'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('desk_phrase')
    .set({ words })
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when the person has none of this ID. */
export async function deletePhrase(
  tx: WriteTx,
  { person_id, id }: Pick<PhraseRow, 'person_id' | 'id'>,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('desk_phrase')
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Lists the signatures and stamps of a person without their pictures, oldest first. */
export async function listPictures(db: ReadDb, personId: string): Promise<SignatureFactsRow[]> {
  return db
    .selectFrom('desk_signature')
    .select(['id', 'person_id', 'facts', 'added_at'])
    .where('person_id', '=', personId)
    .orderBy('added_at')
    .orderBy('id')
    .execute();
}

/** Returns signatures and stamps of anybody with their pictures. */
export async function findPictures(db: ReadDb, ids: readonly string[]): Promise<SignatureRow[]> {
  return db.selectFrom('desk_signature').selectAll().where('id', 'in', ids).execute();
}

export async function insertPicture(tx: WriteTx, row: SignatureRow): Promise<void> {
  await tx.insertInto('desk_signature').values(row).execute();
}

export async function deletePicture(
  tx: WriteTx,
  { person_id, id }: Pick<SignatureRow, 'person_id' | 'id'>,
): Promise<void> {
  await tx.deleteFrom('desk_signature').where('person_id', '=', person_id).where('id', '=', id).execute();
}

export async function findDefaults(db: ReadDb, personId: string): Promise<DefaultsRow | undefined> {
  return db.selectFrom('desk_defaults').selectAll().where('person_id', '=', personId).executeTakeFirst();
}

/** Writes the defaults of a person in place of those of `version`, 0 for none. False when they changed since. */
export async function writeDefaults(tx: WriteTx, row: DefaultsRow, version: number): Promise<boolean> {
  if (version === 0) {
    const inserted = await tx
      .insertInto('desk_defaults')
      .values(row)
      .onConflict((conflict) => conflict.column('person_id').doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  }
  const updated = await tx
    .updateTable('desk_defaults')
    .set(row)
    .where('person_id', '=', row.person_id)
    .where('version', '=', version)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function findTour(db: ReadDb, personId: string): Promise<TourRow | undefined> {
  return db.selectFrom('desk_tour').selectAll().where('person_id', '=', personId).executeTakeFirst();
}

/** Writes the place of a person in the tour; an offer leaves one that is there. */
export async function writeTour(tx: WriteTx, row: TourRow): Promise<void> {
  const { person_id: _, ...changes } = row;
  await tx
    .insertInto('desk_tour')
    .values(row)
    .onConflict((conflict) => {
      const onPerson = conflict.column('person_id');
      return row.state === 'offered' ? onPerson.doNothing() : onPerson.doUpdateSet(changes);
    })
    .execute();
}
