import type { IntakeChannel } from '../../../../shared/credential-kinds.ts';
import type { Database } from '../../../db/database.ts';
import type { Caller } from '../../../http/caller.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { createAuthenticatedCaller } from '../authenticated-caller.ts';
import { findKey } from '../store/keys.ts';
import { readPolicy } from '../store/policy.ts';
import { findByLogin, findPrincipal, toPrincipal } from '../store/principals.ts';
import type { KeyMeta, Principal } from '../types.ts';
import { grantsNow } from './grants-now.ts';

/**
 * Returns the caller for whom the gateway accepts a fax by a channel, or acts without one (`none`), with their present grants. `who` is the ID of a person or
 * integration, the sign-in name of a person, or the ID of an API key, whose limits then apply as well. Null where there
 * is none, or they have no grants now: disabled, without a password of their own, or with an ended key. Null also for
 * the installation key, which may do everything, and for a test key, whose faxes would never leave.
 */
export type CallerFor = (who: string, channel: IntakeChannel | 'none') => Promise<Caller | null>;

export function createCallerFor({ db, clock }: { db: Database; clock: Clock }): CallerFor {
  return async (who, channel) => {
    // Read before the rights, so that it is never newer than they are.
    const { version: policyVersion } = await readPolicy(db.read);
    const found = await findIntakePrincipal(db, who);
    if (!found || found.principal.kind === 'bootstrap') return null;
    const { principal, key } = found;
    // Documents that people put somewhere have to leave.
    if (key?.isTest) return null;
    const credential = { principalId: principal.id, keyId: key?.keyId ?? null };
    const grants = await grantsNow(db.read, credential, isoTime(clock.now()));
    if (grants.size === 0) return null;
    return createAuthenticatedCaller({
      principal,
      credential: { kind: channel, id: principal.id },
      policyVersion,
      grants,
      session: null,
      keyId: credential.keyId,
      ceiling: key?.ceiling ?? null,
      isTest: false,
      passwordChangeRequired: false,
      twoFactorSetupRequired: false,
    });
  };
}

async function findIntakePrincipal(
  { read }: Database,
  who: string,
): Promise<{ principal: Principal; key: KeyMeta | null } | null> {
  const principal = await findPrincipal(read, who);
  if (principal) return { principal, key: null };
  const key = await findKey(read, who);
  const owner = key && (await findPrincipal(read, key.principalId));
  if (owner) return { principal: owner, key };
  const person = await findByLogin(read, who.toLowerCase());
  return person && { principal: toPrincipal(person), key: null };
}
