import type { ReadDb } from '../../db/database.ts';
import { readPolicy } from './store/policy.ts';

export { createEarlierAccess } from './earlier-access.ts';
export { slowHashKind } from './keys/key-secret.ts';
export { ownerLogins, recoverOwner } from './people/recover-owner.ts';
export { ensureBuiltIns } from './roles/built-ins.ts';

/** The version of the access policy, as entries of the security audit name it. Works inside a transaction. */
export async function policyVersion(db: ReadDb): Promise<number> {
  return (await readPolicy(db)).version;
}
