import type { AuditOperation } from '../../../../shared/audit-operations.ts';
import type { Database, WriteTx } from '../../../db/database.ts';
import { type Clock, epochOf, isoTime } from '../../../platform/clock.ts';
import { assertMayChange, isThemselves } from '../authority/may-change.ts';
import { changedFields } from '../changed-fields.ts';
import { AccessConflictError, MissingError } from '../errors.ts';
import type { ChangePolicy } from '../policy-change.ts';
import type { Resources } from '../resources.ts';
import { type OwnedKey, ownedKey } from '../store/key-pages.ts';
import { findKey, type KeyColumns, type StoredKey, updateKey } from '../store/keys.ts';
import { revokeSessionsOfKey, shortenSessionsOfKey } from '../store/sessions.ts';
import type { ActorWithGrants, CeilingEntry, KeyMeta } from '../types.ts';
import { assertCeiling, endOf, keyOwner, type PrincipalRef } from './key-rules.ts';

export interface KeyChangeParts {
  db: Database;
  clock: Clock;
  changePolicy: ChangePolicy;
  resources: Resources;
}

/** A key and the policy as they were last read; nulls where the caller cannot have read them. */
export interface KeyRef {
  keyId: string;
  version: number | null;
  policyVersion: number | null;
}

/** Reference to a key without a version check. */
export const unread = (keyId: string): KeyRef => ({ keyId, version: null, policyVersion: null });

export interface ChangedKey {
  key: OwnedKey;
  policyVersion: number;
}

/** Omitted fields stay unchanged. */
export interface KeyEdit {
  name?: string | null | undefined;
  note?: string | null | undefined;
  expiresAt?: string | null | undefined;
  ceiling?: readonly CeilingEntry[] | undefined;
  /** The actor answers for the key from now on, in place of who made it. */
  takeOver?: boolean | undefined;
}

/**
 * Makes one change of one key: it is the one that was read, its version moves on, and the audit has what differs. `work`
 * answers the new columns. Throws 404 for an unknown key and 409 for a stale one.
 */
export async function changeKey(
  parts: KeyChangeParts,
  {
    actor,
    ref,
    ...said
  }: { actor: ActorWithGrants; ref: KeyRef; operation: AuditOperation; details?: object },
  work: (tx: WriteTx, key: StoredKey, now: string) => Promise<KeyColumns>,
): Promise<ChangedKey> {
  const { result, policyVersion } = await parts.changePolicy({
    actor,
    operation: said.operation,
    expectedVersion: ref.policyVersion,
    work: async (tx) => {
      const before = await findKey(tx, ref.keyId);
      if (!before) throw new MissingError('no_such_key');
      if (ref.version !== null && before.version !== ref.version) throw new AccessConflictError();
      const columns = await work(tx, before, isoTime(parts.clock.now()));
      if (!(await updateKey(tx, before, columns))) throw new AccessConflictError();
      return { before, key: await ownedKey(tx, ref.keyId) };
    },
    describe: ({ before, key }) => ({
      target: { kind: 'api_key', id: ref.keyId },
      // The name identifies the key even when it is unchanged.
      details: { name: key.name, ...changedFields(factsOf(before), factsOf(key)), ...said.details },
    }),
  });
  return { key: result.key, policyVersion };
}

/** Returns the facts of a key for the security audit. */
export function factsOf(key: KeyMeta): Record<string, unknown> {
  return {
    principal_id: key.principalId,
    name: key.name,
    note: key.note,
    ceiling: key.ceiling.map(({ permission, resource_id }) => `${permission} on ${resource_id}`),
    expires_at: key.expiresAt,
    made_by: key.maker.name,
    state: key.state,
    ...(key.isTest ? { test: true } : {}),
  };
}

/** Whoever was shown a secret, or reviewed a key, answers for it. */
export function madeBy({ id, name }: ActorWithGrants): KeyColumns {
  return { made_by: id, made_by_name: name, maker_left_at: '' };
}

function assertNotRevoked(key: StoredKey): void {
  if (key.revokedAt !== null) throw new AccessConflictError('key_revoked_already');
}

/** Renames a key, moves its end, changes its ceiling. Throws 400, 403, 404, 409. */
export function editKey(
  parts: KeyChangeParts,
  actor: ActorWithGrants,
  ref: KeyRef,
  edit: KeyEdit,
): Promise<ChangedKey> {
  return changeKey(parts, { actor, ref, operation: 'key.change' }, async (tx, key, now) => {
    // Checked for a longer lifetime too: it benefits the holder of the secret.
    await assertMayChange(tx, parts.resources, actor, { kind: 'key', ceiling: key.ceiling });
    assertNotRevoked(key);
    const { name = key.name, note = key.note } = edit;
    const columns: KeyColumns = { name, note, ...(edit.takeOver ? madeBy(actor) : {}) };
    const { ceiling } = edit;
    if (ceiling) {
      if (key.state === 'review') throw new AccessConflictError('key_awaits_approval');
      await assertCeiling(tx, parts.resources, { actor, ceiling, isTest: key.isTest });
      columns.ceiling = JSON.stringify(ceiling);
    }
    if (edit.expiresAt === undefined || isSameEnd(edit.expiresAt, key.expiresAt)) return columns;
    const end = endOf(edit.expiresAt, now);
    if (end !== null) await shortenSessionsOfKey(tx, key.keyId, end);
    return { ...columns, expires_at: end };
  });
}

function isSameEnd(wanted: string | null, present: string | null): boolean {
  if (wanted === null || present === null) return wanted === present;
  return epochOf(wanted) === epochOf(present);
}

/** Ends a key and its sessions for good; twice is once for who did not read it. Throws 403, 404, 409. */
export function revokeKey(parts: KeyChangeParts, actor: ActorWithGrants, ref: KeyRef): Promise<ChangedKey> {
  return changeKey(parts, { actor, ref, operation: 'key.revoke' }, async (tx, key, now) => {
    if (!isThemselves(actor, key))
      await assertMayChange(tx, parts.resources, actor, { kind: 'key', ceiling: key.ceiling });
    if (ref.version !== null) assertNotRevoked(key);
    await revokeSessionsOfKey(tx, key.keyId, now);
    return { revoked_at: key.revokedAt ?? now, maker_left_at: '' };
  });
}

/** Lets a key of an earlier release in, for `principal` and within `ceiling`; its secret stays. Throws 400, 403, 404, 409. */
export function approveKey(
  parts: KeyChangeParts,
  actor: ActorWithGrants,
  ref: KeyRef,
  { principal, ceiling }: { principal: PrincipalRef; ceiling: readonly CeilingEntry[] },
): Promise<ChangedKey> {
  return changeKey(parts, { actor, ref, operation: 'key.approve' }, async (tx, key) => {
    assertNotRevoked(key);
    if (key.state !== 'review') throw new AccessConflictError('key_not_waiting');
    const owner = await keyOwner(tx, principal);
    await assertCeiling(tx, parts.resources, { actor, ceiling, isTest: key.isTest });
    return { principal_id: owner.id, ceiling: JSON.stringify(ceiling), state: 'active', ...madeBy(actor) };
  });
}
