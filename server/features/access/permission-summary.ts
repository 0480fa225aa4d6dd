import { LIMITS } from '../../../shared/limits.ts';
import { ALL_PERMISSIONS, isForDocuments, type Permission } from '../../../shared/permissions.ts';
import type { ReadDb } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import { visibleTo } from './authenticated-caller.ts';
import { enabledMailboxes, type NamedMailbox } from './store/mailboxes.ts';
import { readPolicy } from './store/policy.ts';

/** Permissions of a caller, each list in the order of the roles screen. */
interface PermissionSummary {
  /** Version of the present policy; the caller's permissions may have been read by an earlier one. */
  readonly policyVersion: number;
  /** On the installation. */
  readonly permissions: readonly Permission[];
  /** Permissions on faxes, documents and work, held on at least one resource. */
  readonly anywhere: readonly Permission[];
}

export async function permissionSummary(db: ReadDb, caller: Caller): Promise<PermissionSummary> {
  const { version: policyVersion } = await readPolicy(db);
  const anywhere = ALL_PERMISSIONS.filter((name) => isForDocuments(name) && caller.holdsAnywhere(name));
  return { policyVersion, permissions: heldOnInstallation(caller), anywhere };
}

/** Lists the permissions held on the installation, in the order of the roles screen. */
export function heldOnInstallation(caller: Caller): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => caller.permissions.has(permission));
}

/**
 * Lists the mailboxes a caller may send for, by label; only the first of them for a caller with access to all, since
 * people do not pick from more.
 */
export function mailboxesToSendFor(db: ReadDb, caller: Caller): Promise<NamedMailbox[]> {
  const { everything, mailboxIds } = visibleTo(caller, 'fax:send');
  return enabledMailboxes(db, everything ? null : mailboxIds, LIMITS.mailboxChoices);
}
