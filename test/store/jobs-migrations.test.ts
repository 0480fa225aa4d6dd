import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { migrations } from '../../server/db/migrations/index.ts';
import { migrate, NewerStoreError } from '../../server/db/migrator.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const whole = (db: Database) => db.unrestricted as never;
const bare = (db: Database) => db.unrestricted as unknown as Kysely<{ migration: { name: string } }>;

describe.each(STORES)('the store in %s', (name) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore(name);
  });
  afterEach(() => store.close());

  test('is brought to its shape once, and a second start finds nothing to do', async () => {
    expect(await migrate(whole(store.db))).toEqual([]);
    expect(await migrate(whole(store.connectAgain()))).toEqual([]);
    const rows = await bare(store.db).selectFrom('migration').selectAll().execute();
    expect(rows).toEqual(migrations.map((step) => ({ name: step.name })));
  });

  test('is refused when a newer release has written it, and stays as it was', async () => {
    const known = migrations.slice(0, -1);
    await expect(migrate(whole(store.db), known)).rejects.toThrow(NewerStoreError);
    await expect(migrate(whole(store.db), known)).rejects.toThrow(/newer release/u);
    expect(await migrate(whole(store.db))).toEqual([]);
  });

  test('is left as it was by a step that fails half-way', async () => {
    const broken = {
      name: '999-broken',
      async up(db: Kysely<unknown>) {
        await db.schema.createTable('half_made').addColumn('id', 'text').execute();
        throw new Error('broken on purpose');
      },
    };
    const steps = [...migrations, broken] as never;
    await expect(migrate(whole(store.db), steps)).rejects.toThrow('broken on purpose');
    const tables = await bare(store.db).introspection.getTables();
    expect(tables.map((table) => table.name)).not.toContain('half_made');
    expect(await migrate(whole(store.db))).toEqual([]);
  });
});
