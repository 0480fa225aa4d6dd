import { isoTime } from '../../../platform/clock.ts';
import { type KeyQuery, type OwnedKey, pageKeys } from '../store/key-pages.ts';
import { findKey, listKeys } from '../store/keys.ts';
import { readPolicy } from '../store/policy.ts';
import type { ActorWithGrants, CeilingEntry, KeyMeta } from '../types.ts';
import {
  approveKey,
  type ChangedKey,
  editKey,
  type KeyChangeParts,
  type KeyEdit,
  type KeyRef,
  revokeKey,
  unread,
} from './key-changes.ts';
import { type KeyEnds, replaceKey, rotateKey } from './key-renewal.ts';
import { type KeyState, LEAVER_MS, type PrincipalRef, stateOf } from './key-rules.ts';
import { createPrincipalKey, type KeyWithToken, type NewPrincipalKey } from './new-key.ts';
import { createOwnKey, type NewKey } from './own-key.ts';

/**
 * The API keys. Changes throw 404 for an unknown key, 409 for a stale one or one whose state does not allow it, 400 for a
 * value that breaks a rule, and 403 for what the actor does not hold.
 */
export interface Keys {
  /** Creates a key with an integration of its own. */
  createOwn(actor: ActorWithGrants, key: NewKey): Promise<KeyWithToken>;
  /** Every key, newest first. */
  list(): Promise<KeyMeta[]>;
  page(query: KeyQuery): Promise<{ items: OwnedKey[]; next_cursor: string | null; policyVersion: number }>;
  /** Returns its present state. */
  stateOf(key: KeyMeta): KeyState;
  /** Another key for a principal there is. */
  create(actor: ActorWithGrants, key: NewPrincipalKey): Promise<KeyWithToken>;
  edit(actor: ActorWithGrants, ref: KeyRef, edit: KeyEdit): Promise<ChangedKey>;
  /** A new secret; the old one and its sessions end with the commit. */
  rotate(actor: ActorWithGrants, ref: KeyRef): Promise<KeyWithToken>;
  /** A second key like this one, and an end for this one. */
  replace(actor: ActorWithGrants, ref: KeyRef, ends: KeyEnds): Promise<KeyWithToken & { replaced: OwnedKey }>;
  /** Ends a key and its sessions for good. */
  revoke(actor: ActorWithGrants, ref: KeyRef): Promise<ChangedKey>;
  /** The same, whatever was read; twice is once. */
  end(actor: ActorWithGrants, keyId: string): Promise<void>;
  /** Lets a key of an earlier release in; its secret stays. */
  approve(
    actor: ActorWithGrants,
    ref: KeyRef,
    as: { principal: PrincipalRef; ceiling: readonly CeilingEntry[] },
  ): Promise<ChangedKey>;
}

export function createKeys(parts: KeyChangeParts): Keys {
  const { db, clock } = parts;
  return {
    createOwn: (actor, key) => createOwnKey(parts, actor, key),
    list: () => listKeys(db.read),
    page: async (query) => {
      const { version: policyVersion } = await readPolicy(db.read);
      const now = clock.now();
      const times = { now: isoTime(now), leftBefore: isoTime(now - LEAVER_MS) };
      return { ...(await pageKeys(db.read, query, times)), policyVersion };
    },
    stateOf: (key) => stateOf(key, isoTime(clock.now())),
    create: (actor, key) => createPrincipalKey(parts, actor, key),
    edit: (actor, ref, edit) => editKey(parts, actor, ref, edit),
    rotate: (actor, ref) => rotateKey(parts, actor, ref),
    replace: (actor, ref, ends) => replaceKey(parts, actor, ref, ends),
    revoke: (actor, ref) => revokeKey(parts, actor, ref),
    end: async (actor, keyId) => {
      const isEnded = (await findKey(db.read, keyId))?.revokedAt;
      if (!isEnded) await revokeKey(parts, actor, unread(keyId));
    },
    approve: (actor, ref, as) => approveKey(parts, actor, ref, as),
  };
}
