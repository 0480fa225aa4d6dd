import type { Kysely } from 'kysely';

export async function createPairingTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pairing_code')
    .addColumn('principal_id', 'text', (c) => c.primaryKey().references('principal.id').onDelete('cascade'))
    .addColumn('key_id', 'text')
    .addColumn('maker_name', 'text', (c) => c.notNull())
    .addColumn('code_hash', 'text', (c) => c.notNull().unique())
    .addColumn('device_name', 'text')
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
}
