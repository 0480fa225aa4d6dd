import {
  type Compilable,
  type CompiledQuery,
  createQueryId,
  type Expression,
  expressionBuilder,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryExecutor,
} from 'kysely';
import type { ReadDb, WriteTx } from './database.ts';
import type { Tables } from './schema/tables.ts';

/** Stands in a query for a value that each run brings. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Returns the place of a value in the query, by its name. */
export type ValueOf<V> = <N extends keyof V & string>(name: N) => Expression<V[N]>;

type Prepared = Pick<CompiledQuery, 'sql' | 'parameters' | 'query'>;

/**
 * Prepares a query of a busy path: it is built and compiled once for each database, and each run only brings its values.
 * Building and compiling takes longer than running most queries. The query must be the same whatever the values are; it may
 * run inside and outside of transactions, and returns its rows.
 */
export function prepareQuery<V extends object, Row, D extends ReadDb | WriteTx>(
  build: (db: D, value: ValueOf<V>) => Compilable<Row>,
): (db: D, values: V) => Promise<Row[]> {
  const prepared = new WeakMap<object, Prepared>();
  return async (db, values) => {
    const executor = (db as unknown as Kysely<Tables>).getExecutor();
    const known = prepared.get(executor.adapter) ?? compile(build, db);
    prepared.set(executor.adapter, known);
    return (await run(executor, known, values as Readonly<Record<string, unknown>>)) as Row[];
  };
}

function compile<V extends object, Row, D extends ReadDb | WriteTx>(
  build: (db: D, value: ValueOf<V>) => Compilable<Row>,
  db: D,
): Prepared {
  const { val } = expressionBuilder<Tables>();
  const valueOf = ((name: string) => val(new Placeholder(name))) as unknown as ValueOf<V>;
  const { sql, parameters, query } = build(db, valueOf).compile();
  return { sql, parameters, query };
}

async function run(
  executor: QueryExecutor,
  { sql, parameters, query }: Prepared,
  values: Readonly<Record<string, unknown>>,
): Promise<unknown[]> {
  const queryId = createQueryId();
  // Refuses a query of a transaction that has ended, as for every other query.
  executor.transformQuery(query, queryId);
  const filled = parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value));
  const { rows } = await executor.executeQuery({ sql, parameters: filled, query, queryId });
  return rows;
}

/** Prepares the insert of whole rows into the table that `into` names. */
export function prepareInsert<T extends keyof Tables>(
  into: (tx: WriteTx) => InsertQueryBuilder<Tables, T, InsertResult>,
): (tx: WriteTx, row: Tables[T] & object) => Promise<void> {
  const inserts = new Map<string, (tx: WriteTx, row: object) => Promise<unknown[]>>();
  return async (tx, row) => {
    const columns = Object.keys(row);
    const key = columns.join();
    const insert = inserts.get(key) ?? prepareColumns(into, columns);
    inserts.set(key, insert);
    await insert(tx, row);
  };
}

function prepareColumns<T extends keyof Tables>(
  into: (tx: WriteTx) => InsertQueryBuilder<Tables, T, InsertResult>,
  columns: readonly string[],
): (tx: WriteTx, row: object) => Promise<unknown[]> {
  return prepareQuery<Record<string, unknown>, unknown, WriteTx>((tx, value) =>
    into(tx).values(Object.fromEntries(columns.map((column) => [column, value(column)])) as never),
  ) as (tx: WriteTx, row: object) => Promise<unknown[]>;
}
