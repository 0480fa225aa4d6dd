import type { ReadDb } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { AccessConflictError } from '../errors.ts';
import type { Resources } from '../resources.ts';
import { type OwnedKey, ownedKey } from '../store/key-pages.ts';
import type { StoredKey } from '../store/keys.ts';
import { findPrincipal } from '../store/principals.ts';
import { revokeSessionsOfKey, shortenSessionsOfKey } from '../store/sessions.ts';
import type { ActorWithGrants } from '../types.ts';
import { changeKey, type KeyChangeParts, type KeyRef, madeBy } from './key-changes.ts';
import { assertEnabled, assertMayHold, endOf, stateOf } from './key-rules.ts';
import { keyTokenOf, newKeyId, newKeySecret } from './key-token.ts';
import { insertNewKey, type KeyWithToken } from './new-key.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Whoever gets another secret of a key can do what the key can. Throws 403, 409. */
async function assertMayRenew(
  db: ReadDb,
  resources: Resources,
  { actor, key, now }: { actor: ActorWithGrants; key: StoredKey; now: string },
): Promise<void> {
  if (stateOf(key, now) !== 'active') throw new AccessConflictError('key_not_active');
  assertEnabled(await findPrincipal(db, key.principalId));
  await assertMayHold(db, resources, { actor, ceiling: key.ceiling });
}

/** A new secret; the old one and its sessions end with the commit. Throws 403, 404, 409. */
export async function rotateKey(
  parts: KeyChangeParts,
  actor: ActorWithGrants,
  ref: KeyRef,
): Promise<KeyWithToken> {
  const { secret, secretHash } = newKeySecret();
  const changed = await changeKey(parts, { actor, ref, operation: 'key.rotate' }, async (tx, key, now) => {
    await assertMayRenew(tx, parts.resources, { actor, key, now });
    await revokeSessionsOfKey(tx, key.keyId, now);
    return { secret_hash: secretHash, hash_kind: 'sha256', ...madeBy(actor) };
  });
  return { ...changed, token: keyTokenOf(changed.key, secret) };
}

export interface KeyEnds {
  /** Expiry of the old key, never later than before; a day from now when left out. */
  oldExpiresAt: string | null;
  /** Expiry of the new key; null for none, and that of the old key when left out. */
  expiresAt: string | null | undefined;
}

/** A second key like this one, for systems that cannot change theirs at once. Throws 400, 403, 404, 409. */
export async function replaceKey(
  parts: KeyChangeParts,
  actor: ActorWithGrants,
  ref: KeyRef,
  ends: KeyEnds,
): Promise<KeyWithToken & { replaced: OwnedKey }> {
  const keyId = newKeyId();
  const { secret, secretHash } = newKeySecret();
  const details = { replaced_by: keyId };
  const change = { actor, ref, operation: 'key.replace', details } as const;
  const { key: replaced, policyVersion } = await changeKey(parts, change, async (tx, key, now) => {
    await assertMayRenew(tx, parts.resources, { actor, key, now });
    const expiresAt = ends.expiresAt === undefined ? key.expiresAt : endOf(ends.expiresAt, now);
    const wanted = endOf(ends.oldExpiresAt, now) ?? isoTime(epochOf(now) + DAY_MS);
    const oldEnd = key.expiresAt !== null && key.expiresAt < wanted ? key.expiresAt : wanted;
    await insertNewKey(tx, { ...key, maker: actor, keyId, secretHash, expiresAt, now });
    await shortenSessionsOfKey(tx, key.keyId, oldEnd);
    return { expires_at: oldEnd };
  });
  const key = await ownedKey(parts.db.read, keyId);
  return { key, token: keyTokenOf(key, secret), replaced, policyVersion };
}
