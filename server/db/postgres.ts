import { PostgresDialect } from 'kysely';
import pg from 'pg';

const INT8 = 20;

/** PostgreSQL through a pool. 64-bit integers come back as numbers: ours stay far below 2^53. */
export function postgresDialect(url: string, options: { poolSize?: number } = {}): PostgresDialect {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({ connectionString: url, max: options.poolSize ?? 10, types: types });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
}
