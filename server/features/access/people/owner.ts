import { INSTALLATION } from '../../../../shared/permissions.ts';
import { type Database, isUniqueViolation, type ReadDb, type WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { AccessConflictError } from '../errors.ts';
import type { ChangePolicy } from '../policy-change.ts';
import { issueTemporaryPassword, type PasswordHasher, type TemporaryPassword } from '../sign-in/passwords.ts';
import { insertAssignment, OWNER_ROLE, ownerIds } from '../store/grants.ts';
import {
  findByLogin,
  insertPrincipal,
  type NewPrincipal,
  replaceTemporaryPassword,
  toPrincipal,
} from '../store/principals.ts';
import { revokeOtherSessions } from '../store/sessions.ts';
import type { ActorWithGrants, Principal } from '../types.ts';

interface NewOwner {
  login: string;
  displayName: string;
  /** Null where it cannot have been read, as on the command line. */
  expectedVersion: number | null;
}

interface EnrolledOwner {
  user: Principal;
  /** Shown once; must be changed at the first sign-in. */
  temporaryPassword: string;
  policyVersion: number;
}

/**
 * Creates the first owner. An only owner who never chose a password gets a new temporary one under the same sign-in
 * name: the first may have been lost with the response. Throws a 409 refusal while another enabled owner exists, or
 * when the sign-in name is taken.
 */
export type EnrollOwner = (actor: ActorWithGrants, owner: NewOwner) => Promise<EnrolledOwner>;

export function createOwnerEnrolment(parts: {
  db: Database;
  clock: Clock;
  hasher: PasswordHasher;
  changePolicy: ChangePolicy;
}): EnrollOwner {
  return async (actor, owner) => {
    const login = owner.login.toLowerCase();
    // Checked before the slow hash, for the usual case; the transaction checks again.
    await waitingOwner(parts.db.read, login);
    const { text: password, columns } = await issueTemporaryPassword(parts.hasher, parts.clock);
    const now = isoTime(parts.clock.now());
    const row = ownerRow({ login, displayName: owner.displayName, columns, now });
    try {
      const { result, policyVersion } = await parts.changePolicy({
        actor,
        operation: 'owner.enroll',
        expectedVersion: owner.expectedVersion,
        work: async (tx) => {
          const waiting = await waitingOwner(tx, login);
          return waiting ? await enrollAgain(tx, waiting, row) : await insertOwner(tx, row);
        },
        describe: ({ id }) => ({ target: { kind: 'principal', id }, details: { login } }),
      });
      return { user: toPrincipal(result), temporaryPassword: password, policyVersion };
    } catch (error) {
      if (isUniqueViolation(error)) throw new AccessConflictError('login_taken');
      throw error;
    }
  };
}

/** The only owner under this sign-in name who never chose a password; null when there is no owner. */
async function waitingOwner(db: ReadDb, login: string): Promise<PrincipalTable | null> {
  const owners = await ownerIds(db);
  if (owners.length === 0) return null;
  const found = await findByLogin(db, login);
  const isWaiting = found?.password_change_required === 1 && owners.length === 1 && owners[0] === found.id;
  if (!isWaiting) throw new AccessConflictError('owner_exists');
  return found;
}

/** An enabled person who must choose a password. */
export function ownerRow(facts: {
  login: string;
  displayName: string;
  columns: TemporaryPassword['columns'];
  now: string;
}): NewPrincipal {
  return {
    id: newId(),
    kind: 'user',
    login: facts.login,
    display_name: facts.displayName,
    enabled: 1,
    ...facts.columns,
    version: 1,
    created_at: facts.now,
    updated_at: facts.now,
  };
}

export async function insertOwner(tx: WriteTx, row: NewPrincipal): Promise<PrincipalTable> {
  const inserted = await insertPrincipal(tx, row);
  await makeOwner(tx, row.id, row.created_at);
  return inserted;
}

/** Assigns the role of an owner to a person. */
export async function makeOwner(tx: WriteTx, principalId: string, now: string): Promise<void> {
  await insertAssignment(tx, {
    id: newId(),
    subject_kind: 'principal',
    subject_id: principalId,
    role_id: OWNER_ROLE,
    resource_id: INSTALLATION,
    version: 1,
    created_at: now,
  });
}

async function enrollAgain(tx: WriteTx, waiting: PrincipalTable, row: NewPrincipal): Promise<PrincipalTable> {
  const { id, version, login } = waiting;
  const { display_name: displayName, password_hash: hash, updated_at: now } = row;
  const temporaryUntil = row.temporary_until ?? null;
  const change = { id, version, login, displayName, hash, temporaryUntil, now };
  // Whoever signed in with the earlier password and chose one in this moment keeps it.
  if (!(await replaceTemporaryPassword(tx, change))) throw new AccessConflictError();
  await revokeOtherSessions(tx, { principalId: id, keep: '', now: row.updated_at });
  return { ...waiting, display_name: row.display_name, version: version + 1 };
}
