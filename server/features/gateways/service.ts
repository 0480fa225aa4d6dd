import type { z } from 'zod';
import type { Gateways } from '../../../shared/api/gateways.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Membership } from './membership.ts';
import { listGateways, permitHolder } from './store.ts';
import { GONE_MS, type OwnGateway } from './types.ts';

export interface GatewaysParts {
  readonly db: Database;
  readonly clock: Clock;
  /** This gateway. */
  readonly own: OwnGateway;
  /** Null where the database is that of one process. */
  readonly membership: Membership | null;
}

/** The gateways on the database. */
export interface GatewaysService {
  list(): Promise<z.infer<typeof Gateways>>;
  /** Returns the problems of the gateways for an administrator, as sentences. */
  warnings(): Promise<string[]>;
}

/** Time for which System warns of a gateway that vanished. */
const WARNED_MS = 3_600_000;

export function createGatewaysService(parts: GatewaysParts): GatewaysService {
  const { db, clock, own, membership } = parts;
  const startedAt = clock.now();
  return {
    async list() {
      if (membership === null) {
        const alone = {
          name: own.name,
          release: own.release,
          this: true,
          state: 'running',
          works: true,
        } as const;
        const times = { started_at: isoTime(startedAt), last_seen_at: isoTime(clock.now()) };
        return { several: false, gateways: [{ ...alone, ...times }] };
      }
      const holder = await permitHolder(db.read);
      const gateways = (await listGateways(db.read)).map((row) => ({
        name: row.name,
        release: row.release,
        this: row.run === own.run,
        state: row.age < GONE_MS ? ('running' as const) : ('gone' as const),
        works: row.run === holder,
        started_at: isoTime(row.started_at),
        last_seen_at: isoTime(row.seen_at),
      }));
      return { several: own.several === 1, gateways };
    },
    async warnings() {
      if (membership === null) return [];
      if (membership.problem !== null) return [membership.problem];
      const gone = (await listGateways(db.read)).filter(
        ({ id, age }) => id !== own.id && age >= GONE_MS && age < WARNED_MS,
      );
      return gone.map(
        ({ name, age }) =>
          `The gateway ${name} has not been seen for ${Math.round(age / 60_000) || 1} min. What it was sending needs confirmation.`,
      );
    },
  };
}
