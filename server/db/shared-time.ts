import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Capabilities } from './capabilities.ts';

/**
 * Returns the time by which all processes on a database count, in epoch ms, as part of a query. The clocks of gateways may
 * differ, so a count by their own clocks would begin anew with each gateway that takes a turn.
 */
export type SharedTime = () => RawBuilder<number>;

/** Time of PostgreSQL at the moment at which it is read, in epoch ms. */
export const postgresTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Returns the time of PostgreSQL, or `databaseClock` in place of it. The processes on an SQLite file are on one computer,
 * and share its clock.
 */
export function createSharedTime(parts: {
  readonly db: { readonly capabilities: Capabilities };
  readonly clock: Clock;
  readonly databaseClock?: Clock | undefined;
}): SharedTime {
  const clock = parts.db.capabilities.name === 'sqlite' ? parts.clock : parts.databaseClock;
  return clock === undefined ? () => postgresTime : () => sql<number>`cast(${clock.now()} as bigint)`;
}
