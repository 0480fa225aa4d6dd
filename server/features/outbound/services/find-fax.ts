import type { Permission } from '../../../../shared/permissions.ts';
import type { Caller } from '../../access/service.ts';
import { noSuchFax } from '../errors.ts';
import { recordsOf } from '../list/records.ts';
import type { OutboundParts } from '../parts.ts';
import { findJob } from '../store/job-store.ts';
import type { FaxRecord, JobRow } from '../types.ts';
import { assertMay } from '../visibility.ts';

type Parts = Pick<OutboundParts, 'db' | 'contacts' | 'progress' | 'costs' | 'received' | 'holds'>;

/** Finds single faxes for the callers of the service. */
export interface FaxFinder {
  /** Finds a fax that the caller holds the permission on. Throws one 404 refusal for a hidden and an unknown one. */
  find(caller: Caller, permission: Permission, id: string): Promise<JobRow>;
  /** Loads a fax without a check. Throws a 404 refusal when there is none. */
  load(id: string): Promise<JobRow>;
  /** Returns the fax as the caller is shown it. */
  recordOf(caller: Caller, job: JobRow): Promise<FaxRecord>;
}

export function createFaxFinder(parts: Parts): FaxFinder {
  const { db } = parts;
  return {
    find: async (caller, permission, id) => assertMay(caller, permission, await findJob(db.read, id)),
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
