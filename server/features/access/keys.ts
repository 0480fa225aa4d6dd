import { ACCESS_MESSAGES, DEFAULT_KEY_SCOPES } from '../../../shared/api/access.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { INSTALLATION, type Permission } from '../../../shared/permissions.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import { type Clock, epochOf, isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { AccessConflictError, AccessValueError, MissingError, NotAllowedError } from './errors.ts';
import { newKeyId, newKeySecret } from './key-token.ts';
import type { ChangePolicy } from './policy-change.ts';
import { insertAssignment } from './store/grants.ts';
import { findKey, insertKey, listKeys, setKeyRevoked, setKeySecret } from './store/keys.ts';
import { insertPrincipal } from './store/principals.ts';
import { insertRole } from './store/roles.ts';
import { revokeSessionsOfKey } from './store/sessions.ts';
import type { Actor, CeilingEntry, KeyMeta } from './types.ts';

export interface NewKey {
  name: string | null;
  note: string | null;
  owner: string | null;
  /** On the whole installation; null means {@link DEFAULT_KEY_SCOPES}. */
  scopes: readonly Permission[] | null;
  /** ISO 8601, any offset; null for a key without an end. */
  expiresAt: string | null;
  /** Name of the integration the key belongs to; `API key: <name>` when left out. */
  integrationName?: string;
}

export interface CreatedKey {
  key: KeyMeta;
  /** Shown once. */
  token: string;
  policyVersion: number;
}

export interface KeysParts {
  db: Database;
  clock: Clock;
  changePolicy: ChangePolicy;
}

export interface Keys {
  /** Makes a key with an integration of its own. Throws 403 for scopes the actor does not hold, 400 for a past end. */
  create(actor: Actor, key: NewKey): Promise<CreatedKey>;
  /** Newest first. */
  list(): Promise<KeyMeta[]>;
  /** Ends a key and its sessions for good; twice is once. Throws 404. */
  revoke(actor: Actor, keyId: string): Promise<void>;
  /** A new secret; the old one and its sessions end with the commit. Throws 403, 404, 409. */
  rotate(actor: Actor, keyId: string): Promise<{ keyId: string; token: string }>;
}

export function createKeys(parts: KeysParts): Keys {
  const { db, clock, changePolicy } = parts;

  const found = async (keyId: string) => {
    const key = await findKey(db.read, keyId);
    if (!key) throw new MissingError(ACCESS_MESSAGES.noSuchKey);
    return key;
  };

  return {
    create: (actor, input) => createKey(parts, actor, input),

    list: () => listKeys(db.read),

    async revoke(actor, keyId) {
      const key = await found(keyId);
      if (key.revokedAt !== null) return;
      const now = isoTime(clock.now());
      await changePolicy({
        actor,
        operation: 'key.revoke',
        expectedVersion: null,
        work: async (tx) => {
          await setKeyRevoked(tx, keyId, now);
          await revokeSessionsOfKey(tx, keyId, now);
        },
        describe: () => ({ target: { kind: 'api_key', id: keyId } }),
      });
    },

    async rotate(actor, keyId) {
      const key = await found(keyId);
      const expired = key.expiresAt !== null && epochOf(key.expiresAt) <= clock.now();
      if (key.revokedAt !== null || key.state !== 'active' || expired)
        throw new AccessConflictError(ACCESS_MESSAGES.keyNotActive);
      // Who gets the new secret can do what the key can: it must not be more than they may do already.
      if (!mayHold(actor, key.ceiling)) throw new NotAllowedError(ACCESS_MESSAGES.grantsTooMuch);
      const { token, secretHash } = newKeySecret(keyId);
      await changePolicy({
        actor,
        operation: 'key.rotate',
        expectedVersion: null,
        work: async (tx) => {
          const changed = await setKeySecret(tx, { keyId, version: key.version, secretHash });
          if (!changed) throw new AccessConflictError();
          await revokeSessionsOfKey(tx, keyId, isoTime(clock.now()));
        },
        describe: () => ({ target: { kind: 'api_key', id: keyId } }),
      });
      return { keyId, token };
    },
  };
}

async function createKey(parts: KeysParts, actor: Actor, input: NewKey): Promise<CreatedKey> {
  const now = isoTime(parts.clock.now());
  const scopes = [...new Set(input.scopes ?? DEFAULT_KEY_SCOPES)];
  if (!scopes.every((scope) => actor.holds(scope))) throw new NotAllowedError(ACCESS_MESSAGES.grantsTooMuch);
  const expiresAt = input.expiresAt === null ? null : isoTime(epochOf(input.expiresAt));
  if (expiresAt !== null && expiresAt <= now) throw new AccessValueError(ACCESS_MESSAGES.expiryPast);
  const keyId = newKeyId();
  const { token, secretHash } = newKeySecret(keyId);
  const { result, policyVersion } = await parts.changePolicy({
    actor,
    operation: 'key.create',
    expectedVersion: null,
    work: async (tx) => {
      const displayName = input.integrationName ?? `API key: ${input.name ?? keyId}`;
      const principalId = await insertIntegration(tx, { keyId, displayName, scopes, now });
      const { name, note, owner } = input;
      return await insertNewKey(tx, {
        keyId,
        principalId,
        name,
        note,
        owner,
        scopes,
        secretHash,
        now,
        expiresAt,
      });
    },
    describe: () => ({
      target: { kind: 'api_key', id: keyId },
      details: { scopes, expires_at: expiresAt },
    }),
  });
  return { key: result, token, policyVersion };
}

function mayHold(actor: Actor, ceiling: readonly CeilingEntry[]): boolean {
  return ceiling.every((entry) => actor.holds(entry.permission as Permission, entry.resource_id));
}

/** The key's own integration, holding its scopes through a role that no screen shows. */
async function insertIntegration(
  tx: WriteTx,
  facts: { keyId: string; displayName: string; scopes: readonly Permission[]; now: string },
): Promise<string> {
  const { keyId, now } = facts;
  const id = newId();
  const stamps = { version: 1, created_at: now, updated_at: now };
  const displayName = [...facts.displayName].slice(0, LIMITS.displayNameLength).join('');
  await insertPrincipal(tx, {
    id,
    kind: 'integration',
    login: null,
    display_name: displayName,
    enabled: 1,
    password_hash: null,
    password_change_required: 0,
    ...stamps,
  });
  const roleId = newId();
  const description = 'The scopes of one API key.';
  const flags = { built_in: 0, hidden: 1, enabled: 1, requires_two_factor: 0 } as const;
  await insertRole(
    tx,
    { id: roleId, name: `API key ${keyId}`, description, ...flags, ...stamps },
    facts.scopes,
  );
  await insertAssignment(tx, {
    id: newId(),
    subject_kind: 'principal',
    subject_id: id,
    role_id: roleId,
    resource_id: INSTALLATION,
    version: 1,
    created_at: now,
  });
  return id;
}

interface NewKeyFacts {
  keyId: string;
  principalId: string;
  name: string | null;
  note: string | null;
  owner: string | null;
  scopes: readonly Permission[];
  secretHash: string;
  now: string;
  expiresAt: string | null;
}

async function insertNewKey(tx: WriteTx, facts: NewKeyFacts): Promise<KeyMeta> {
  const { keyId, principalId, name, note, owner, expiresAt } = facts;
  const ceiling = facts.scopes.map((permission) => ({ permission, resource_id: INSTALLATION }));
  await insertKey(tx, {
    key_id: keyId,
    principal_id: principalId,
    name,
    note,
    owner,
    secret_hash: facts.secretHash,
    hash_kind: 'sha256',
    ceiling: JSON.stringify(ceiling),
    state: 'active',
    version: 1,
    created_at: facts.now,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
  });
  const shared = { keyId, principalId, name, note, owner, expiresAt, ceiling };
  return { ...shared, state: 'active', version: 1, createdAt: facts.now, lastUsedAt: null, revokedAt: null };
}
