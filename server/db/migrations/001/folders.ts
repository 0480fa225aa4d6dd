import type { Kysely } from 'kysely';

export async function createFoldersTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sent_file')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('manifest', 'text')
    .addColumn('principal_id', 'text', (c) => c.notNull())
    .addColumn('fax_id', 'text')
    .addColumn('taken_at', 'text', (c) => c.notNull())
    .execute();
  // For looking up whether the file of a manifest that a kill left behind was sent.
  await db.schema.createIndex('sent_file_manifest').on('sent_file').column('manifest').execute();
  await db.schema
    .createTable('send_folder')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('mark', 'text', (c) => c.notNull())
    .execute();
}
