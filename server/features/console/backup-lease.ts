import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { randomToken } from '../../platform/ids.ts';
import { releaseBackupLease, takeBackupLease } from './store.ts';

/** A gateway that was killed while it made the backup holds up the others no longer than this. */
const LEASE_MS = 10 * 60_000;

/**
 * Lease for the daily backup: of all gateways on one database, one at a time makes it, since they may share the folder.
 */
export interface BackupLease {
  /** Takes it, or prolongs it by some minutes. False while another gateway has it. */
  take(): Promise<boolean>;
  release(): Promise<void>;
}

export function createBackupLease({ db, clock }: { db: Database; clock: Clock }): BackupLease {
  const holder = randomToken(120);
  return {
    async take() {
      // Nothing is written to a damaged database; the backup itself reports that.
      if (db.damage.isFound) return true;
      const now = clock.now();
      const wanted = { holder, now: isoTime(now), until: isoTime(now + LEASE_MS) };
      return db.transaction((tx) => takeBackupLease(tx, wanted));
    },
    async release() {
      if (!db.damage.isFound) await db.transaction((tx) => releaseBackupLease(tx, holder));
    },
  };
}
