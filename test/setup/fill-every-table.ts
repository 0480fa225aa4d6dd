import { sql } from 'kysely';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import { TABLES_OF_A_STORE } from '../../server/db/move-tables.ts';
import { type StoreLocation, withSnapshot } from '../../server/db/snapshot.ts';
import { insertRows } from '../../server/db/staging.ts';
import { tablesInOrder } from '../../server/db/table-order.ts';

const FILLED_INSTALLATION = '01900000-0000-7000-8000-00000000abcd';

/** Tables with one row, which is made by the migration or below. */
const MADE = ['installation', 'security_chain'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: number;
  readonly pk: number;
}

interface ForeignKey {
  readonly from: string;
  readonly table: string;
  readonly to: string | null;
}

/** Makes a store with rows in every table of this release, and documents that belong to it. Rows may make no sense. */
export async function makeFullInstallation(folder: string, rows: number): Promise<void> {
  const db = openDatabase({ postgresUrl: null, sqliteFile: `${folder}/faxdesk.sqlite` });
  try {
    await migrate(db.unrestricted as never);
    const known = new Map<string, Column[]>();
    for (const table of await tablesInOrder(db.unrestricted as never, db.capabilities)) {
      known.set(table, await columnsOf(db, table));
      if (TABLES_OF_A_STORE.includes(table) || MADE.includes(table)) continue;
      const keys = await foreignKeysOf(db, table);
      const made = Array.from({ length: rows }, (_, n) => rowOf(table, n, { known, keys }));
      await db.transaction((tx) => insertRows(tx, table, made));
    }
    await db.transaction(async (tx) => {
      const installation = { key: 'installation', id: FILLED_INSTALLATION, generation: 7 } as const;
      await tx
        .insertInto('installation')
        .values({ ...installation, replaces: null, bucket: null })
        .execute();
    });
  } finally {
    await db.close();
  }
  const storage = await createLocalStorage(`${folder}/files`);
  await storage.writeMark({ installation: FILLED_INSTALLATION, generation: 7, database: 'sqlite' });
}

async function columnsOf(db: Database, table: string): Promise<Column[]> {
  const query = sql<Column>`select name, type, "notnull" as required, pk from pragma_table_info(${table})`;
  return (await query.execute(db.unrestricted)).rows;
}

async function foreignKeysOf(db: Database, table: string): Promise<ForeignKey[]> {
  const query = sql<ForeignKey>`select "from", "table", "to" from pragma_foreign_key_list(${table})`;
  return (await query.execute(db.unrestricted)).rows;
}

/** The n-th row refers to the n-th rows of other tables, so every value that must be unique is. */
function rowOf(
  table: string,
  n: number,
  { known, keys }: { known: ReadonlyMap<string, Column[]>; keys: readonly ForeignKey[] },
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const column of known.get(table) ?? []) {
    const key = keys.find(({ from }) => from === column.name);
    const parent = known.get(key?.table ?? '')?.find(({ name }) => name === (key?.to ?? 'id'));
    const mayBeNull = column.required === 0 && column.pk === 0 && n % 3 === 0;
    if (mayBeNull) row[column.name] = null;
    else row[column.name] = key && parent ? valueOf(key.table, parent, n) : valueOf(table, column, n);
  }
  return row;
}

function valueOf(table: string, { name, type, pk }: Column, n: number): string | number {
  switch (type.toLowerCase()) {
    case 'integer':
      if (name === 'seq') return n + 1_000;
      return pk > 0 ? n + 100 : n % 2 === 0 ? n : 2_147_483_647 - n;
    case 'bigint':
      return Number.MAX_SAFE_INTEGER - n;
    case 'double precision':
      return n + 0.1;
    default:
      return `${table}.${name} ${String(n).padStart(5, '0')} “Ärzte” 📠 \\ ' " {"a":[1,null]}\n\t`;
  }
}

/** Every row of the tables that a move brings over, sorted, as JSON. */
export async function allRows(
  location: StoreLocation,
  without: readonly string[] = [],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await withSnapshot(location, async ({ tables, rows }) => {
    for (const table of tables.filter(
      (name) => !TABLES_OF_A_STORE.includes(name) && !without.includes(name),
    )) {
      const lines: string[] = [];
      for await (const row of rows(table))
        lines.push(JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
      found[table] = lines.sort();
    }
  });
  return found;
}
