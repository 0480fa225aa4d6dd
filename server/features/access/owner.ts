import { ACCESS_MESSAGES } from '../../../shared/api/access.ts';
import { INSTALLATION } from '../../../shared/permissions.ts';
import { type Database, isUniqueViolation } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { AccessConflictError } from './errors.ts';
import { type PasswordHasher, temporaryPassword } from './passwords.ts';
import type { ChangePolicy } from './policy-change.ts';
import { insertAssignment, OWNER_ROLE, ownerIds } from './store/grants.ts';
import { insertPrincipal, toPrincipal } from './store/principals.ts';
import type { Actor, Principal } from './types.ts';

export interface NewOwner {
  login: string;
  displayName: string;
  /** Null where nobody can have read it, as on the command line. */
  expectedVersion: number | null;
}

export interface EnrolledOwner {
  user: Principal;
  /** Shown once; must be changed at the first sign-in. */
  temporaryPassword: string;
  policyVersion: number;
}

/** Creates the first owner. Throws a 409 refusal while an enabled owner exists or when the login name is taken. */
export type EnrollOwner = (actor: Actor, owner: NewOwner) => Promise<EnrolledOwner>;

export function createOwnerEnrolment(parts: {
  db: Database;
  clock: Clock;
  hasher: PasswordHasher;
  changePolicy: ChangePolicy;
}): EnrollOwner {
  return async (actor, owner) => {
    // Before the slow hash, for the usual case; the transaction asks again.
    if ((await ownerIds(parts.db.read)).length > 0)
      throw new AccessConflictError(ACCESS_MESSAGES.ownerExists);
    const password = temporaryPassword();
    const hash = await parts.hasher.hash(password);
    const now = isoTime(parts.clock.now());
    const row = {
      id: newId(),
      kind: 'user',
      login: owner.login.toLowerCase(),
      display_name: owner.displayName,
      enabled: 1,
      password_hash: hash,
      password_change_required: 1,
      version: 1,
      created_at: now,
      updated_at: now,
    } as const;
    try {
      const { policyVersion } = await parts.changePolicy({
        actor,
        operation: 'owner.enroll',
        expectedVersion: owner.expectedVersion,
        work: async (tx) => {
          if ((await ownerIds(tx)).length > 0) throw new AccessConflictError(ACCESS_MESSAGES.ownerExists);
          await insertPrincipal(tx, row);
          await insertAssignment(tx, {
            id: newId(),
            subject_kind: 'principal',
            subject_id: row.id,
            role_id: OWNER_ROLE,
            resource_id: INSTALLATION,
            version: 1,
            created_at: now,
          });
        },
        describe: () => ({ target: { kind: 'principal', id: row.id }, details: { login: row.login } }),
      });
      return { user: toPrincipal(row), temporaryPassword: password, policyVersion };
    } catch (error) {
      if (isUniqueViolation(error)) throw new AccessConflictError(ACCESS_MESSAGES.loginTaken);
      throw error;
    }
  };
}
