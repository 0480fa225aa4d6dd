import { type Kysely, sql } from 'kysely';
import type { Capabilities } from './capabilities.ts';

/** The tables of the store without the migrator's own, each after those its foreign keys point to. */
export async function tablesInOrder(db: Kysely<never>, capabilities: Capabilities): Promise<string[]> {
  const parents = new Map((await tableNames(db, capabilities)).map((name) => [name, new Set<string>()]));
  for (const { child, parent } of await foreignKeys(db, capabilities))
    if (child !== parent) parents.get(child)?.add(parent);
  const ordered: string[] = [];
  while (parents.size > 0) {
    const free = [...parents].filter(([, of]) => [...of].every((name) => !parents.has(name)));
    if (free.length === 0) throw new Error('the foreign keys of the store form a circle');
    for (const [name] of free) {
      ordered.push(name);
      parents.delete(name);
    }
  }
  return ordered;
}

/** The names of the migrations that the store went through, in order; none when it is empty. */
export async function migrationsOf(db: Kysely<never>, capabilities: Capabilities): Promise<string[]> {
  if (!(await allTables(db, capabilities)).includes('migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

async function tableNames(db: Kysely<never>, capabilities: Capabilities): Promise<string[]> {
  return (await allTables(db, capabilities)).filter((name) => name !== 'migration');
}

/** Every table of the store, by name. */
export async function allTables(db: Kysely<never>, capabilities: Capabilities): Promise<string[]> {
  const query =
    capabilities.name === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`
      : sql<{
          name: string;
        }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`;
  return (await query.execute(db)).rows.map((row) => row.name);
}

async function foreignKeys(
  db: Kysely<never>,
  capabilities: Capabilities,
): Promise<{ child: string; parent: string }[]> {
  type Row = { child: string; parent: string };
  const query =
    capabilities.name === 'sqlite'
      ? sql<Row>`select m.name as child, k."table" as parent
          from sqlite_master m join pragma_foreign_key_list(m.name) k where m.type = 'table'`
      : sql<Row>`select c.relname as child, p.relname as parent from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
          where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace`;
  return (await query.execute(db)).rows;
}
