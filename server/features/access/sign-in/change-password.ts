import type { Database } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { actorOf, isOwnSession } from '../authenticated-caller.ts';
import { AccessConflictError, AccessValueError, CredentialError, NotAllowedError } from '../errors.ts';
import type { ChangePolicy } from '../policy-change.ts';
import { findPrincipalRow, updatePassword } from '../store/principals.ts';
import { revokeOtherSessions } from '../store/sessions.ts';
import { checkNewPassword } from './password-rules.ts';
import type { PasswordHasher } from './passwords.ts';
import type { SignInLimit } from './sign-in-limit.ts';

interface PasswordChange {
  current: string;
  next: string;
}

/**
 * Changes the caller's own password and ends their other sessions. Throws 403 without a password session or with a wrong
 * current password, 400 for a password that breaks a rule, 429 after too many tries.
 */
export type ChangePassword = (caller: AuthenticatedCaller, change: PasswordChange) => Promise<void>;

export function createPasswordChange(parts: {
  db: Database;
  clock: Clock;
  hasher: PasswordHasher;
  limit: SignInLimit;
  changePolicy: ChangePolicy;
  /** Its name must not be a password. */
  organization: () => string | null;
}): ChangePassword {
  return async (caller, { current, next }) => {
    const { session } = caller;
    if (!isOwnSession(caller) || session === null) throw new NotAllowedError('password_session_needed');
    const person = await findPrincipalRow(parts.db.read, caller.principal.id);
    if (!person?.password_hash) throw new CredentialError();
    await checkNewPassword(next, {
      login: person.login,
      displayName: person.display_name,
      organization: parts.organization(),
    });
    await parts.limit.confirmation({ principalId: person.id, what: 'password' });
    if (!(await parts.hasher.verify(person.password_hash, current)))
      throw new NotAllowedError('wrong_password');
    if (next.normalize('NFC') === current.normalize('NFC')) throw new AccessValueError('password_unchanged');
    const hash = await parts.hasher.hash(next);
    const now = isoTime(parts.clock.now());
    await parts.changePolicy({
      actor: actorOf(caller),
      operation: 'password.change',
      expectedVersion: null,
      work: async (tx) => {
        const changed = await updatePassword(tx, { id: person.id, version: person.version, hash, now });
        if (!changed) throw new AccessConflictError();
        await revokeOtherSessions(tx, { principalId: person.id, keep: session.id, now });
      },
      describe: () => ({ target: { kind: 'principal', id: person.id } }),
    });
  };
}
