import type { Database, WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { createSecurityAudit } from '../../audit/service.ts';
import { AccessConflictError } from '../errors.ts';
import { createPolicyChange } from '../policy-change.ts';
import { ensureBuiltIns } from '../roles/built-ins.ts';
import { argon2Hasher, issueTemporaryPassword } from '../sign-in/passwords.ts';
import { ownerIds } from '../store/grants.ts';
import { keysMadeFor, setMakerLeft } from '../store/keys.ts';
import { deletePasskeysOf } from '../store/passkeys.ts';
import { updatePerson } from '../store/people.ts';
import {
  findByLogin,
  findPrincipals,
  hasSecondFactor,
  type NewPrincipal,
  NO_SECOND_FACTOR,
  toPrincipal,
} from '../store/principals.ts';
import { revokeOtherSessions } from '../store/sessions.ts';
import { deleteRecoveryCodes } from '../store/two-factor.ts';
import { LOCAL_OPERATOR, type Principal } from '../types.ts';
import { insertOwner, makeOwner, ownerRow } from './owner.ts';

interface OwnerInput {
  readonly login: string;
  /** Name for a person who does not exist yet; the sign-in name when left out. */
  readonly displayName?: string | undefined;
}

interface RecoveredOwner {
  readonly person: Principal;
  /** True when no person had that sign-in name. */
  readonly created: boolean;
  /** Shown once; must be changed at the first sign-in. */
  readonly temporaryPassword: string;
}

/** Result of a recovery, for the security audit. */
interface Recovery {
  readonly person: PrincipalTable;
  readonly before: PrincipalTable | null;
  readonly wasOwner: boolean;
}

interface Parts {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Makes the person with that sign-in name an enabled owner with a new temporary password and without a second factor, and
 * ends their sessions; creates the person where there is none. For the command line, while no gateway uses the store.
 */
export async function recoverOwner({ db, clock }: Parts, wanted: OwnerInput): Promise<RecoveredOwner> {
  const audit = createSecurityAudit({ clock });
  // An earlier release, or a start that never came so far, may not have written them.
  await ensureBuiltIns({ db, clock, audit });
  const changePolicy = createPolicyChange({ db, audit, forgetCallers: () => undefined });
  const { text: password, columns } = await issueTemporaryPassword(argon2Hasher, clock);
  const login = wanted.login.toLowerCase();
  const displayName = wanted.displayName ?? login;
  const row = ownerRow({ login, displayName, columns, now: isoTime(clock.now()) });
  const { result } = await changePolicy({
    actor: LOCAL_OPERATOR,
    operation: 'owner.recover',
    expectedVersion: null,
    work: (tx) => recover(tx, login, row),
    describe: ({ person, before, wasOwner }) => ({
      target: { kind: 'principal', id: person.id },
      details: {
        login,
        created: before === null,
        was_enabled: before?.enabled === 1,
        was_owner: wasOwner,
        had_second_factor: before !== null && hasSecondFactor(before),
      },
    }),
  });
  const { person, before } = result;
  return { person: toPrincipal(person), created: before === null, temporaryPassword: password };
}

async function recover(tx: WriteTx, login: string, row: NewPrincipal): Promise<Recovery> {
  const before = await findByLogin(tx, login);
  if (!before) return { person: await insertOwner(tx, row), before, wasOwner: false };
  const wasOwner = (await ownerIds(tx)).includes(before.id);
  const person = await resetPerson(tx, before, row);
  if (!(await ownerIds(tx)).includes(person.id)) await makeOwner(tx, person.id, row.updated_at);
  return { person, before, wasOwner };
}

async function resetPerson(
  tx: WriteTx,
  before: PrincipalTable,
  { password_hash, temporary_until = null, updated_at: now }: NewPrincipal,
): Promise<PrincipalTable> {
  const signIn = { password_hash, password_change_required: 1, temporary_until } as const;
  const columns = { enabled: 1, ...signIn, ...NO_SECOND_FACTOR } as const;
  const person = await updatePerson(tx, before, columns, now);
  if (!person) throw new AccessConflictError();
  await setMakerLeft(tx, await keysMadeFor(tx, person.id), '');
  await deleteRecoveryCodes(tx, person.id);
  await deletePasskeysOf(tx, person.id);
  await revokeOtherSessions(tx, { principalId: person.id, keep: '', now });
  return person;
}

/** The sign-in names of the enabled owners. */
export async function ownerLogins(db: Database): Promise<string[]> {
  const owners = await findPrincipals(db.read, await ownerIds(db.read));
  return [...owners.values()].flatMap(({ login }) => login ?? []).sort();
}
