import type { ReadDb } from '../../../db/database.ts';
import { withinCeiling } from '../keys/ceiling.ts';
import { stateOf } from '../keys/key-rules.ts';
import { effectiveGrants } from '../store/grants.ts';
import { findKey } from '../store/keys.ts';
import { BOOTSTRAP_ID, findPrincipal } from '../store/principals.ts';
import type { Grants } from '../types.ts';
import { EVERYTHING } from './installation-key.ts';
import { lacksSecondFactor } from './verify-key.ts';

/** Principal of an earlier request, and the key it used or its session began with. */
interface CredentialRef {
  principalId: string;
  keyId: string | null;
}

const NOTHING: Grants = new Map();

/**
 * Returns the grants that an earlier caller has at `now` (ISO 8601 UTC): none once the principal or the key is
 * disabled. Works inside a transaction.
 */
export async function grantsNow(
  db: ReadDb,
  { principalId, keyId }: CredentialRef,
  now: string,
): Promise<Grants> {
  if (principalId === BOOTSTRAP_ID) return EVERYTHING;
  const principal = await findPrincipal(db, principalId);
  if (!principal?.enabled || principal.passwordChangeRequired) return NOTHING;
  const grants = await effectiveGrants(db, principalId);
  if (await lacksSecondFactor(db, principal)) return NOTHING;
  if (keyId === null) return grants;
  const key = await findKey(db, keyId);
  return key && stateOf(key, now) === 'active' ? withinCeiling(grants, key.ceiling) : NOTHING;
}
