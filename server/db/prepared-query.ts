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

/**
 * Prepares the insert of whole rows into the table that `into` names; `end` adds what follows the values, e.g. for a conflict.
 * Returns the rows that `end` lets the database return.
 */
export function prepareInsert<T extends keyof Tables, Row = never>(
  into: (tx: WriteTx) => InsertQueryBuilder<Tables, T, InsertResult>,
  end: (insert: InsertQueryBuilder<Tables, T, InsertResult>) => Compilable<Row> = (insert) => insert,
): (tx: WriteTx, row: Tables[T] & object) => Promise<Row[]> {
  const prepared = byColumns((tx, values) => end(into(tx).values(values as never)));
  return (tx, row) => prepared(Object.keys(row))(tx, { ...row });
}

/**
 * Prepares the update of rows whose columns `where` have given values. Values that are undefined change nothing. Returns the
 * changed rows.
 */
export function prepareUpdate<T extends keyof Tables, W extends keyof Tables[T] & string>(
  table: T,
  where: readonly W[],
): (tx: WriteTx, values: Partial<Tables[T]>, guard: Pick<Tables[T], W>) => Promise<Tables[T][]> {
  const prepared = byColumns<Tables[T]>((tx, values, value) => {
    let update = tx.updateTable(table as 'fax_job').set(values as never);
    for (const column of where) update = update.where(column as 'id', '=', value(guardName(column)) as never);
    return update.returningAll();
  });
  return (tx, values, guard) => {
    const set = Object.entries(values).filter(([, value]) => value !== undefined);
    const guards = where.map((column) => [guardName(column), guard[column]]);
    return prepared(set.map(([column]) => column))(tx, Object.fromEntries([...set, ...guards]));
  };
}

const guardName = (column: string): string => `where ${column}`;

type Values = Record<string, unknown>;

/** Prepares a write once for each list of columns; `build` gets the places of their values. */
function byColumns<Row>(
  build: (tx: WriteTx, values: Values, value: ValueOf<Values>) => Compilable<Row>,
): (columns: readonly string[]) => (tx: WriteTx, values: Values) => Promise<Row[]> {
  const prepared = new Map<string, (tx: WriteTx, values: Values) => Promise<Row[]>>();
  return (columns) => {
    const key = columns.join();
    const write =
      prepared.get(key) ??
      prepareQuery<Values, Row, WriteTx>((tx, value) =>
        build(tx, Object.fromEntries(columns.map((column) => [column, value(column)])), value),
      );
    prepared.set(key, write);
    return write;
  };
}
