import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { ownedKey } from '../store/key-pages.ts';
import { insertKey } from '../store/keys.ts';
import type { ActorWithGrants, CeilingEntry } from '../types.ts';
import { type ChangedKey, factsOf, type KeyChangeParts } from './key-changes.ts';
import { assertCeiling, endOf, keyOwner, type PrincipalRef } from './key-rules.ts';
import { keyTokenOf, newKeyId, newKeySecret } from './key-token.ts';

export interface KeyWithToken extends ChangedKey {
  /** Shown once. */
  token: string;
}

export interface NewPrincipalKey {
  principal: PrincipalRef;
  name: string | null;
  note: string | null;
  /** ISO 8601, any offset; null for a key without an end. */
  expiresAt: string | null;
  ceiling: readonly CeilingEntry[];
  /** True for a key whose faxes are tests. */
  isTest: boolean;
  policyVersion: number;
}

/** Another key for a principal there is. Throws 400, 403, 404, 409. */
export async function createPrincipalKey(
  parts: KeyChangeParts,
  actor: ActorWithGrants,
  input: NewPrincipalKey,
): Promise<KeyWithToken> {
  const keyId = newKeyId();
  const { secret, secretHash } = newKeySecret();
  const { name, note, ceiling, isTest } = input;
  const { result, policyVersion } = await parts.changePolicy({
    actor,
    operation: 'key.create',
    expectedVersion: input.policyVersion,
    work: async (tx) => {
      const now = isoTime(parts.clock.now());
      const { id: principalId } = await keyOwner(tx, input.principal);
      await assertCeiling(tx, parts.resources, { actor, ceiling, isTest });
      const expiresAt = endOf(input.expiresAt, now);
      await insertNewKey(tx, {
        keyId,
        principalId,
        name,
        note,
        owner: null,
        maker: actor,
        ceiling,
        isTest,
        secretHash,
        expiresAt,
        now,
      });
      return await ownedKey(tx, keyId);
    },
    describe: (key) => ({ target: { kind: 'api_key', id: keyId }, details: factsOf(key) }),
  });
  return { key: result, token: keyTokenOf(result, secret), policyVersion };
}

interface NewKeyFacts {
  keyId: string;
  principalId: string;
  name: string | null;
  note: string | null;
  owner: string | null;
  maker: { id: string | null; name: string };
  ceiling: readonly CeilingEntry[];
  isTest: boolean;
  secretHash: string;
  expiresAt: string | null;
  now: string;
}

export async function insertNewKey(tx: WriteTx, facts: NewKeyFacts): Promise<void> {
  await insertKey(tx, {
    key_id: facts.keyId,
    principal_id: facts.principalId,
    name: facts.name,
    note: facts.note,
    owner: facts.owner,
    made_by: facts.maker.id,
    made_by_name: facts.maker.name,
    maker_left_at: '',
    secret_hash: facts.secretHash,
    hash_kind: 'sha256',
    ceiling: JSON.stringify(facts.ceiling),
    state: 'active',
    test: facts.isTest ? 1 : 0,
    version: 1,
    created_at: facts.now,
    expires_at: facts.expiresAt,
    last_used_at: null,
    revoked_at: null,
  });
}
