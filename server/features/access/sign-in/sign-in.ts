import { randomToken } from '../../../platform/ids.ts';
import type { BegunSession, Visitor } from './begin-session.ts';
import { signInWithKey } from './key-sign-in.ts';
import { signInWithPassword } from './password-sign-in.ts';
import type { PasswordAttempt, SignInParts } from './sign-in-parts.ts';

export interface SignIn {
  /** Creates the hash that stands in for unknown people, so that the first of them costs no more than the next. */
  prepare(): Promise<void>;
  /**
   * Throws a 401 refusal that is the same, after the same work, for a wrong password and an unknown name; another one for a
   * missing and for a wrong code; 429.
   */
  withPassword(attempt: PasswordAttempt, visitor: Visitor): Promise<BegunSession>;
  /**
   * A session that may do what the key may and never outlives it. Throws a 401 refusal, 403 where a role of its owner requires a
   * second factor, or 429 after many wrong keys.
   */
  withKey(apiKey: string, visitor: Visitor): Promise<BegunSession>;
}

export function createSignIn(parts: SignInParts): SignIn {
  let standIn: string | null = null;
  const standInHash = async () => (standIn ??= await parts.hasher.hash(randomToken(256)));
  return {
    prepare: async () => {
      await standInHash();
    },
    withPassword: (attempt, visitor) => signInWithPassword({ ...parts, standInHash }, attempt, visitor),
    withKey: (apiKey, visitor) => signInWithKey(parts, apiKey, visitor),
  };
}
