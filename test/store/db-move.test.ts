import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { movedTables, TABLES_OF_A_STORE } from '../../server/db/move-tables.ts';
import { canonicalValue, digestRows } from '../../server/db/table-digest.ts';
import { allTables } from '../../server/db/table-order.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const opened: TestStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(name: 'sqlite' | 'postgres'): Promise<TestStore> {
  const store = await openStore(name);
  opened.push(store);
  return store;
}

async function* rowsOf(...rows: Record<string, unknown>[]) {
  yield* rows;
}

describe('the digest of a table', () => {
  test.each([
    ['a truth value', true, 1],
    ['a time', new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)), '2026-01-02T03:04:05.006Z'],
    ['a large integer', 9_007_199_254_740_991n, 9_007_199_254_740_991],
    ['bytes', new Uint8Array([0, 255]), { bytes: '00ff' }],
    ['JSON', { b: [1, null], a: 'x' }, { a: 'x', b: [1, null] }],
    ['a text with NUL', 'a\0b', 'ab'],
    ['nothing', null, null],
  ])('takes %s alike from either database', (_what, one, other) => {
    expect(JSON.stringify(canonicalValue(one))).toBe(JSON.stringify(other));
  });

  test('does not depend on the order of rows and columns, and on nothing else less', async () => {
    const first = await digestRows(rowsOf({ id: 'ä', n: 1 }, { id: 'Z', n: null }));
    expect(first).toEqual({ rows: 2, digest: expect.stringMatching(/^[0-9a-f]{64}$/u) });
    expect(await digestRows(rowsOf({ n: null, id: 'Z' }, { n: 1, id: 'ä' }))).toEqual(first);
    for (const other of [
      [
        { id: 'ä', n: null },
        { id: 'Z', n: 1 },
      ],
      [
        { id: 'ä', n: '1' },
        { id: 'Z', n: null },
      ],
      [
        { id: 'Ä', n: 1 },
        { id: 'Z', n: null },
      ],
      [
        { id: 'ä', m: 1 },
        { id: 'Z', n: null },
      ],
    ])
      expect((await digestRows(rowsOf(...other))).digest).not.toBe(first.digest);
    const large = 9_007_199_254_740_993n;
    expect(await digestRows(rowsOf({ n: large }))).not.toEqual(
      await digestRows(rowsOf({ n: Number(large) })),
    );
  });
});

describe.each(STORES)('the schema on %s', (name) => {
  test('rule (installation): a move brings over every table but those that say who works on a store', async () => {
    const { db } = await open(name);
    const all = (await allTables(db.unrestricted as never, db.capabilities)).filter(
      (table) => table !== 'migration',
    );
    expect(TABLES_OF_A_STORE).toEqual(['gateway', 'work_permit', 'request_count', 'store_move']);
    expect([...(await movedTables(db)), ...TABLES_OF_A_STORE].toSorted()).toEqual(all.toSorted());
  });

  test('has a primary key in each table, no table that refers to itself and no counter, so that rows can be moved', async () => {
    const { db } = await open(name);
    const query =
      name === 'sqlite'
        ? sql<{
            name: string;
          }>`select m.name from sqlite_master m where m.type = 'table' and m.name not like 'sqlite_%'
            and (m.sql like '%autoincrement%'
              or not exists (select 1 from pragma_table_info(m.name) where pk > 0)
              or exists (select 1 from pragma_foreign_key_list(m.name) k where k."table" = m.name))`
        : sql<{ name: string }>`select c.relname as name from pg_class c
            where c.relnamespace = current_schema()::regnamespace and (c.relkind = 'S' or (c.relkind = 'r' and
              (not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)
              or exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.confrelid = c.oid))))`;
    expect((await query.execute(db.unrestricted)).rows).toEqual([]);
  });
});
