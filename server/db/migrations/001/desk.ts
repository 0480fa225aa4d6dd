import type { Kysely } from 'kysely';

export async function createDeskTables(db: Kysely<unknown>): Promise<void> {
  await createDrafts(db);
  await db.schema
    .createTable('desk_phrase')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('person_id', 'text', (c) => c.notNull())
    .addColumn('words', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('desk_phrase_of_person')
    .on('desk_phrase')
    .columns(['person_id', 'id'])
    .execute();
  await db.schema
    .createTable('desk_signature')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('person_id', 'text', (c) => c.notNull())
    .addColumn('facts', 'text', (c) => c.notNull())
    .addColumn('picture', 'text', (c) => c.notNull())
    .addColumn('added_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('desk_signature_of_person')
    .on('desk_signature')
    .columns(['person_id', 'id'])
    .execute();
  await db.schema
    .createTable('desk_defaults')
    .addColumn('person_id', 'text', (c) => c.primaryKey())
    .addColumn('choices', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('desk_tour')
    .addColumn('person_id', 'text', (c) => c.primaryKey())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('step', 'text')
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
}

async function createDrafts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('desk_draft')
    .addColumn('person_id', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('template', 'integer', (c) => c.notNull())
    .addColumn('saved_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('desk_draft_of_person', ['person_id', 'id'])
    .execute();
  // Of those past their time, oldest first.
  await db.schema
    .createIndex('desk_draft_oldest')
    .on('desk_draft')
    .columns(['template', 'saved_at'])
    .execute();
  await db.schema
    .createTable('desk_draft_file')
    .addColumn('artifact', 'text', (c) => c.primaryKey())
    .addColumn('person_id', 'text', (c) => c.notNull())
    .addColumn('draft_id', 'text', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'integer', (c) => c.notNull())
    .addForeignKeyConstraint('desk_draft_file_draft', ['person_id', 'draft_id'], 'desk_draft', [
      'person_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('desk_draft_file_place')
    .on('desk_draft_file')
    .columns(['person_id', 'draft_id', 'number'])
    .unique()
    .execute();
}
