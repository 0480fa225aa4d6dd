import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { searchTextOf } from '../../../platform/search-text.ts';
import type { Principal } from '../types.ts';

/** Values of the authenticator app columns while there is none. */
export const NO_APP = { totp_secret: null, totp_pending: null, totp_last_step: null } as const;
/** The same of the second factor while it is off. */
export const NO_SECOND_FACTOR = { ...NO_APP, passkeys_since: null } as const;

/** True when a person signs in with more than a password: codes of an app, or passkeys. */
export const hasSecondFactor = (row: Pick<PrincipalTable, 'totp_secret' | 'passkeys_since'>): boolean =>
  row.totp_secret !== null || row.passkeys_since !== null;

/** The installation key's principal. */
export const BOOTSTRAP_ID = 'bootstrap';

export function toPrincipal(row: PrincipalTable): Principal {
  return {
    id: row.id,
    kind: row.kind,
    login: row.login,
    displayName: row.display_name,
    enabled: row.enabled === 1,
    hasOwnPassword: row.password_hash !== null && row.password_change_required === 0,
    passwordChangeRequired: row.password_change_required === 1,
    hasTwoFactor: hasSecondFactor(row),
    version: row.version,
  };
}

export async function findPrincipalRow(db: ReadDb, id: string): Promise<PrincipalTable | null> {
  return (await db.selectFrom('principal').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findPrincipal(db: ReadDb, id: string): Promise<Principal | null> {
  const row = await findPrincipalRow(db, id);
  return row && toPrincipal(row);
}

/** Finds the existing principals, by ID. */
export async function findPrincipals(
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Principal>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('principal')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, toPrincipal(row)]));
}

/** Returns the names of the existing principals, by ID. Works inside a transaction. */
export async function principalNames(
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== '');
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('principal')
    .select(['id', 'display_name'])
    .where('id', 'in', wanted)
    .execute();
  return new Map(rows.map((row) => [row.id, row.display_name]));
}

/** Finds a principal by sign-in name; `login` in lower case. */
export async function findByLogin(db: ReadDb, login: string): Promise<PrincipalTable | null> {
  return (await db.selectFrom('principal').selectAll().where('login', '=', login).executeTakeFirst()) ?? null;
}

/** Finds a principal and holds its row: no other transaction changes it before this one ends. */
export async function holdPrincipal(tx: WriteTx, id: string): Promise<PrincipalTable | null> {
  const held = tx
    .updateTable('principal')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', id);
  return (await held.returningAll().executeTakeFirst()) ?? null;
}

/** Excludes the second factor: new principals have none. */
export type NewPrincipal = Omit<
  PrincipalTable,
  'temporary_until' | keyof typeof NO_SECOND_FACTOR | 'search_text'
> &
  Partial<Pick<PrincipalTable, 'temporary_until'>>;

export async function insertPrincipal(tx: WriteTx, row: NewPrincipal): Promise<PrincipalTable> {
  return tx.insertInto('principal').values(wholeRow(row)).returningAll().executeTakeFirstOrThrow();
}

function wholeRow(row: NewPrincipal): PrincipalTable {
  const search_text = searchTextOf([row.display_name, row.login]);
  return { temporary_until: null, ...row, search_text, ...NO_SECOND_FACTOR };
}

export async function insertBootstrapOnce(tx: WriteTx, now: string): Promise<void> {
  await tx
    .insertInto('principal')
    .values(
      wholeRow({
        id: BOOTSTRAP_ID,
        kind: 'bootstrap',
        login: null,
        display_name: 'Installation key',
        enabled: 1,
        password_hash: null,
        password_change_required: 0,
        version: 1,
        created_at: now,
        updated_at: now,
      }),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Replaces the temporary password of a person who never chose their own. False when they chose one since `version`. */
export async function replaceTemporaryPassword(
  tx: WriteTx,
  change: {
    id: string;
    version: number;
    login: string | null;
    displayName: string;
    hash: string | null;
    temporaryUntil: string | null;
    now: string;
  },
): Promise<boolean> {
  const result = await tx
    .updateTable('principal')
    .set((eb) => ({
      password_hash: change.hash,
      temporary_until: change.temporaryUntil,
      display_name: change.displayName,
      search_text: searchTextOf([change.displayName, change.login]),
      version: eb('version', '+', 1),
      updated_at: change.now,
    }))
    .where('id', '=', change.id)
    .where('version', '=', change.version)
    .where('enabled', '=', 1)
    .where('password_change_required', '=', 1)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Sets a password its owner chose. False when the principal changed since `version`. */
export async function updatePassword(
  tx: WriteTx,
  change: { id: string; version: number; hash: string; now: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('principal')
    .set((eb) => ({
      password_hash: change.hash,
      password_change_required: 0 as const,
      temporary_until: null,
      version: eb('version', '+', 1),
      updated_at: change.now,
    }))
    .where('id', '=', change.id)
    .where('version', '=', change.version)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
