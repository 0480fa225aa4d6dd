import { type Database, isUniqueViolation, type ReadDb } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { AccessConflictError, MissingError } from '../errors.ts';
import type { ChangePolicy } from '../policy-change.ts';
import type { Resources } from '../resources.ts';
import { type EffectivePermission, effectivePermissions } from '../roles/effective.ts';
import { issueTemporaryPassword, type PasswordHasher } from '../sign-in/passwords.ts';
import { groupsOf, lastSeen, listPeople, type PeopleFilter, type StoredMembership } from '../store/people.ts';
import { readPolicy } from '../store/policy.ts';
import { BOOTSTRAP_ID, findPrincipalRow, insertPrincipal, type NewPrincipal } from '../store/principals.ts';
import { quickAmong } from '../store/quick-sign-in.ts';
import type { ActorWithGrants, ChangeResult } from '../types.ts';

export { hasSecondFactor } from '../store/principals.ts';

/** A person or an integration. */
export interface Person extends PrincipalTable {
  last_seen_at: string | null;
  /** True with a PIN or a card. */
  quick_sign_in: boolean;
}

export interface PersonDetails {
  readonly person: Person;
  readonly groups: readonly StoredMembership[];
  readonly effective: EffectivePermission[];
  readonly policyVersion: number;
}

interface NewIntegration {
  readonly displayName: string;
  readonly enabled: boolean;
  readonly expectedVersion: number;
}

interface NewUser extends NewIntegration {
  readonly login: string;
}

export interface PeopleParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly changePolicy: ChangePolicy;
  readonly resources: Resources;
}

export interface People {
  /** Lists people by name. Throws a 400 refusal on a wrong cursor. */
  list(filter: PeopleFilter): Promise<{ items: Person[]; next_cursor: string | null; policyVersion: number }>;
  /** Throws a 404 refusal. */
  get(id: string): Promise<PersonDetails>;
  /**
   * Creates a person with a temporary password, shown once. Throws a 409 refusal when stale, or when the sign-in name
   * is taken.
   */
  createUser(
    actor: ActorWithGrants,
    user: NewUser,
  ): Promise<ChangeResult<Person> & { temporaryPassword: string }>;
  /** Creates an integration, which signs in with API keys only. Throws a 409 refusal when stale. */
  createIntegration(actor: ActorWithGrants, integration: NewIntegration): Promise<ChangeResult<Person>>;
}

export function createPeople(parts: PeopleParts): People {
  const { db } = parts;
  return {
    async list(filter) {
      // First, so that what is newer than it is refused and not overwritten.
      const { version: policyVersion } = await readPolicy(db.read);
      const { items, next_cursor } = await listPeople(db.read, filter);
      return { items: await withSignIns(db.read, items), next_cursor, policyVersion };
    },

    async get(id) {
      const { version: policyVersion } = await readPolicy(db.read);
      const row = await findPrincipalRow(db.read, id);
      if (!row || row.id === BOOTSTRAP_ID) throw new MissingError('no_such_person');
      const groups = await groupsOf(db.read, id);
      const effective = await effectivePermissions(db.read, parts.resources, id);
      return { person: await seen(db.read, row), groups, effective, policyVersion };
    },

    async createUser(actor, user) {
      const { text: password, columns } = await issueTemporaryPassword(parts.hasher, parts.clock);
      const signIn = { kind: 'user', login: user.login.toLowerCase(), ...columns } as const;
      return { ...(await create(parts, actor, user, signIn)), temporaryPassword: password };
    },

    createIntegration: (actor, integration) =>
      create(parts, actor, integration, {
        kind: 'integration',
        login: null,
        password_hash: null,
        password_change_required: 0,
      }),
  };
}

/** Of a principal that was just created. */
const NEW = { last_seen_at: null, quick_sign_in: false } as const;

async function create(
  parts: PeopleParts,
  actor: ActorWithGrants,
  { displayName, enabled, expectedVersion }: NewIntegration,
  signIn: Pick<NewPrincipal, 'login' | 'password_hash' | 'password_change_required' | 'temporary_until'> & {
    readonly kind: 'user' | 'integration';
  },
): Promise<ChangeResult<Person>> {
  const now = isoTime(parts.clock.now());
  const stamps = { version: 1, created_at: now, updated_at: now };
  const row = {
    id: newId(),
    ...signIn,
    display_name: displayName,
    enabled: enabled ? 1 : 0,
    ...stamps,
  } as const;
  const { result, policyVersion } = await refuseTakenLogin(
    parts.changePolicy({
      actor,
      operation: `${signIn.kind}.create`,
      expectedVersion,
      work: (tx) => insertPrincipal(tx, row),
      describe: ({ id }) => ({
        target: { kind: 'principal', id },
        details: { login: signIn.login, display_name: displayName, enabled },
      }),
    }),
  );
  return { result: { ...result, ...NEW }, policyVersion };
}

/** Converts a conflict over the sign-in name into a refusal with a sentence. */
export async function refuseTakenLogin<T>(changing: Promise<T>): Promise<T> {
  try {
    return await changing;
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccessConflictError('login_taken');
    throw error;
  }
}

/** Works inside a transaction. */
export async function seen(db: ReadDb, row: PrincipalTable): Promise<Person> {
  const [person] = await withSignIns(db, [row]);
  return person ?? { ...row, ...NEW };
}

async function withSignIns(db: ReadDb, rows: readonly PrincipalTable[]): Promise<Person[]> {
  const ids = rows.map(({ id }) => id);
  const at = await lastSeen(db, ids);
  const quick = await quickAmong(db, ids);
  return rows.map((row) => ({
    ...row,
    last_seen_at: at.get(row.id) ?? null,
    quick_sign_in: quick.has(row.id),
  }));
}
