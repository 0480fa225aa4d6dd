import type { Permission } from '../../../../shared/permissions.ts';
import type { ReadDb } from '../../../db/database.ts';
import { type Caller, scopeOf } from '../../access/service.ts';
import { archived } from '../errors.ts';
import { findFax } from '../store/fax-store.ts';
import { archiveOfRemoved } from '../store/removal-store.ts';
import type { FaxRow } from '../types.ts';
import { assertMay } from '../visibility.ts';

/**
 * Finds a fax that the caller holds the permission on. Throws one 404 refusal for a hidden and an unknown one; for one that was
 * removed with an archive it names that to those who read every fax, since its mailbox left with it.
 */
export async function findFor(
  db: ReadDb,
  caller: Caller,
  permission: Permission,
  id: string,
): Promise<FaxRow> {
  const row = await findFax(db, id);
  if (!row && !caller.isTest && scopeOf(caller, 'inbound:read').everything) {
    const archive = await archiveOfRemoved(db, id);
    if (archive) throw archived(archive);
  }
  return assertMay(caller, permission, row);
}
