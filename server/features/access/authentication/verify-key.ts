import type { Database, ReadDb } from '../../../db/database.ts';
import { type Clock, epochOf } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { CredentialError } from '../errors.ts';
import { withinCeiling } from '../keys/ceiling.ts';
import { stopOf } from '../keys/key-rules.ts';
import { fitsSha256, fitsSlowHash } from '../keys/key-secret.ts';
import { readKeyToken } from '../keys/key-token.ts';
import type { Resources } from '../resources.ts';
import type { SignInLimit } from '../sign-in/sign-in-limit.ts';
import { effectiveGrants } from '../store/grants.ts';
import { findKey, replaceHash, type StoredKey } from '../store/keys.ts';
import { findPrincipal } from '../store/principals.ts';
import { requiresTwoFactor } from '../store/two-factor.ts';
import type { Grants, KeyMeta, Principal } from '../types.ts';
import type { LastUse } from './last-use.ts';

/** A key in force with its owner, and what both together allow. */
export interface VerifiedKey {
  key: KeyMeta;
  owner: Principal;
  grants: Grants;
  /** A role of the person requires a second factor that is not set up. */
  twoFactorSetupRequired: boolean;
}

/** Throws a 401 refusal, with its own sentence, unless the key can be used now. */
export function assertUsable(key: KeyMeta, now: number): void {
  if (key.revokedAt !== null) throw new CredentialError('key_revoked');
  if (key.state === 'review') throw new CredentialError('key_not_approved');
  if (key.expiresAt !== null && now >= epochOf(key.expiresAt)) throw new CredentialError('key_expired');
  const stop = stopOf(key);
  if (stop !== null && now >= epochOf(stop)) throw new CredentialError('key_maker_left');
}

/** Returns the present grants of a usable key. Throws a 401 refusal when its owner is disabled. */
export async function grantsOfKey(db: ReadDb, resources: Resources, key: KeyMeta): Promise<VerifiedKey> {
  const owner = await findPrincipal(db, key.principalId);
  if (!owner?.enabled) throw new CredentialError(undefined, 'the owner of the key is disabled');
  const grants = await effectiveGrants(db, owner.id);
  const named = [...grants.keys(), ...key.ceiling.map((entry) => entry.resource_id)];
  const mailboxOf = await resources.mailboxesOf(db, named);
  const twoFactorSetupRequired = await lacksSecondFactor(db, owner);
  return { key, owner, grants: withinCeiling(grants, key.ceiling, mailboxOf), twoFactorSetupRequired };
}

/**
 * Returns true when a role of a person requires a second factor that they have not set up. False for integrations,
 * which have none to set up.
 */
export async function lacksSecondFactor(db: ReadDb, { id, kind, hasTwoFactor }: Principal): Promise<boolean> {
  return kind === 'user' && !hasTwoFactor && (await requiresTwoFactor(db, id));
}

export interface KeyVerifier {
  /** The key of a token that came from an address. Throws a 401 refusal for a wrong, ended or waiting one, 429. */
  verify(token: string, address: string): Promise<VerifiedKey>;
}

export function createKeyVerifier(parts: {
  db: Database;
  clock: Clock;
  limit: SignInLimit;
  lastUse: LastUse;
  resources: Resources;
}): KeyVerifier {
  const slowChecks = new Map<string, Promise<boolean>>();

  /** One slow check for a token at a time, and few for a key: each costs tens of milliseconds and megabytes. */
  const fitsSlowly = async (key: StoredKey, secret: string, address: string): Promise<boolean> => {
    const name = sha256Hex(`${key.secretHash}:${secret}`);
    let checking = slowChecks.get(name);
    if (!checking) {
      checking = checkSlowly(key, secret, address).finally(() => slowChecks.delete(name));
      slowChecks.set(name, checking);
    }
    return await checking;
  };

  const checkSlowly = async (key: StoredKey, secret: string, address: string): Promise<boolean> => {
    await parts.limit.slowKey({ address, keyId: key.keyId });
    if (!(await fitsSlowHash(secret, key.secretHash))) return false;
    const change = { keyId: key.keyId, oldHash: key.secretHash, sha256: sha256Hex(secret) };
    parts.lastUse.record((tx) => replaceHash(tx, change));
    return true;
  };

  return {
    async verify(token, address) {
      const presented = readKeyToken(token);
      if (!presented) throw new CredentialError();
      const key = await findKey(parts.db.read, presented.keyId);
      if (!key || key.isTest !== presented.isTest) throw new CredentialError();
      const fits =
        key.hashKind === 'sha256'
          ? fitsSha256(presented.secret, key.secretHash)
          : await fitsSlowly(key, presented.secret, address);
      if (!fits) throw new CredentialError();
      assertUsable(key, parts.clock.now());
      return await grantsOfKey(parts.db.read, parts.resources, key);
    },
  };
}
