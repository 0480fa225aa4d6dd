import { LIMITS } from '../../../../shared/limits.ts';
import { INSTALLATION, type Permission } from '../../../../shared/permissions.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { assertMayGrant } from '../authority/may-grant.ts';
import { insertAssignment } from '../store/grants.ts';
import { type OwnedKey, ownedKey } from '../store/key-pages.ts';
import { insertPrincipal } from '../store/principals.ts';
import { insertRole } from '../store/roles.ts';
import type { ActorWithGrants } from '../types.ts';
import { factsOf, type KeyChangeParts } from './key-changes.ts';
import { assertTestPermissions, endOf } from './key-rules.ts';
import { keyTokenOf, newKeyId, newKeySecret } from './key-token.ts';
import { insertNewKey, type KeyWithToken } from './new-key.ts';

export interface NewKey {
  name: string | null;
  note: string | null;
  owner: string | null;
  /** On the whole installation; null for none. */
  scopes: readonly Permission[] | null;
  /** ISO 8601, any offset; null for a key without an end. */
  expiresAt: string | null;
  /** True for a key whose faxes are tests. */
  isTest?: boolean;
  /** Name of the integration the key belongs to; `API key: <name>` when left out. */
  integrationName?: string;
}

/**
 * Creates a key with an integration of its own. Throws 403 for scopes the actor does not hold, 400 for an expiry in the
 * past.
 */
export async function createOwnKey(
  parts: KeyChangeParts,
  actor: ActorWithGrants,
  input: NewKey,
): Promise<KeyWithToken> {
  const { result, policyVersion } = await parts.changePolicy({
    actor,
    operation: 'key.create',
    expectedVersion: null,
    work: (tx) => insertOwnKey(tx, { actor, input, now: isoTime(parts.clock.now()) }),
    describe: ({ key }) => ({ target: { kind: 'api_key', id: key.keyId }, details: factsOf(key) }),
  });
  return { ...result, policyVersion };
}

/** As above, within a change of who may do what. */
export async function insertOwnKey(
  tx: WriteTx,
  { actor, input, now }: { actor: ActorWithGrants; input: NewKey; now: string },
): Promise<{ key: OwnedKey; token: string }> {
  const scopes = [...new Set(input.scopes ?? [])];
  assertMayGrant(actor, scopes, INSTALLATION, 'key_exceeds_maker');
  const { isTest = false } = input;
  if (isTest) assertTestPermissions(scopes);
  const expiresAt = endOf(input.expiresAt, now);
  const keyId = newKeyId();
  const { secret, secretHash } = newKeySecret();
  const { name, note, owner, integrationName = `API key: ${name ?? keyId}` } = input;
  const principalId = await insertIntegration(tx, { keyId, displayName: integrationName, scopes, now });
  const ceiling = scopes.map((permission) => ({ permission, resource_id: INSTALLATION }));
  const facts = { keyId, principalId, name, note, owner, ceiling, isTest, secretHash, expiresAt, now };
  await insertNewKey(tx, { ...facts, maker: actor });
  return { key: await ownedKey(tx, keyId), token: keyTokenOf(facts, secret) };
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
