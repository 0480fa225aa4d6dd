import type { Permission } from '../../../../shared/permissions.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { Caller } from '../../access/service.ts';
import { archived, noSuchFax } from '../errors.ts';
import { recordsOf } from '../list/records.ts';
import type { OutboundParts } from '../parts.ts';
import { findJob } from '../store/job-store.ts';
import { archiveOfRemoved } from '../store/removal-store.ts';
import type { FaxRecord, JobRow } from '../types.ts';
import { assertMay, visibleFaxes } from '../visibility.ts';

type Parts = Pick<OutboundParts, 'db' | 'contacts' | 'progress' | 'costs' | 'received' | 'holds'>;

/** Finds single faxes for the callers of the service. */
export interface FaxFinder {
  /**
   * Finds a fax that the caller holds the permission on. Throws one 404 refusal for a hidden and an unknown one; for one that was
   * removed with an archive it names that to those who read every fax.
   */
  find(caller: Caller, permission: Permission, id: string): Promise<JobRow>;
  /** Loads a fax without a check. Throws a 404 refusal when there is none. */
  load(id: string): Promise<JobRow>;
  /** Returns the fax as the caller is shown it. */
  recordOf(caller: Caller, job: JobRow): Promise<FaxRecord>;
}

export function createFaxFinder(parts: Parts): FaxFinder {
  const { db } = parts;
  return {
    async find(caller, permission, id) {
      const job = await findJob(db.read, id);
      if (!job) await assertNotRemoved(db.read, caller, id);
      return assertMay(caller, permission, job);
    },
    async load(id) {
      const job = await findJob(db.read, id);
      if (!job) throw noSuchFax();
      return job;
    },
    async recordOf(caller, job) {
      const [record] = await recordsOf(parts, caller, [job]);
      return record as FaxRecord;
    },
  };
}

/** Throws a 404 refusal with the archive that has the fax. Its mailbox and sender left with it, so only readers of every fax get that. */
async function assertNotRemoved(db: ReadDb, caller: Caller, id: string): Promise<void> {
  if (caller.isTest || visibleFaxes(caller) !== null) return;
  const archive = await archiveOfRemoved(db, id);
  if (archive) throw archived(archive);
}
