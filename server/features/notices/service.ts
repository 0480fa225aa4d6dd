import { DEPRECATIONS, type DeprecationId } from '../../../shared/deprecations.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { createPendingWork } from '../../platform/pending-work.ts';
import { saveUse, usesSince } from './store.ts';
import type { DeprecatedUse } from './types.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A use that is older than this is not shown any more. */
const SHOWN_MS = 90 * DAY_MS;

/** Person, integration or provider that used a deprecated part. */
interface User {
  readonly id: string;
  readonly name: string;
}

/** Deprecated part with its users. */
interface UsedDeprecation {
  readonly id: DeprecationId;
  readonly users: readonly DeprecatedUse[];
}

export interface NoticesService {
  /** Records a use, at most once a minute for each user, and logs it once a day. Never throws. */
  note(subject: DeprecationId, user: User): void;
  /** Lists the parts that were used lately, in the order of their definition. */
  used(): Promise<readonly UsedDeprecation[]>;
  /** Waits for the notices that are being recorded. */
  settled(): Promise<void>;
}

export function createNoticesService({
  db,
  clock,
  logger,
}: {
  db: Database;
  clock: Clock;
  logger: Logger;
}): NoticesService {
  const notedAt = new Map<string, number>();
  const loggedAt = new Map<DeprecationId, number>();
  const recording = createPendingWork();

  const logDaily = (subject: DeprecationId, user: User, now: number) => {
    if (now - (loggedAt.get(subject) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return;
    loggedAt.set(subject, now);
    const { what, instead } = DEPRECATIONS[subject];
    logger.warn({ what, used_by: user.name, instead }, 'a deprecated part is still used');
  };

  const record = async (subject: DeprecationId, user: User, now: number) => {
    try {
      const lastAt = isoTime(now);
      await db.transaction((tx) => saveUse(tx, { subject, userId: user.id, userName: user.name, lastAt }));
    } catch (error) {
      logger.error({ error }, 'the use of a deprecated part could not be recorded');
    }
  };

  return {
    note(subject, user) {
      const now = clock.now();
      logDaily(subject, user, now);
      const key = `${subject} ${user.id}`;
      if (Math.abs(now - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY)) < MINUTE_MS) return;
      notedAt.set(key, now);
      recording.add(record(subject, user, now));
    },
    async used() {
      await recording.settled();
      const uses = await usesSince(db.read, isoTime(clock.now() - SHOWN_MS));
      const ids = Object.keys(DEPRECATIONS) as DeprecationId[];
      return ids
        .map((id) => ({ id, users: uses.filter(({ subject }) => subject === id) }))
        .filter(({ users }) => users.length > 0);
    },
    settled: () => recording.settled(),
  };
}
