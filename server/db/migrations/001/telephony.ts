import type { Kysely } from 'kysely';

export async function createTelephonyTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('telephony_image')
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('inode', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('call_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('telephony_image_key', ['device', 'inode', 'sha256'])
    .execute();
}
