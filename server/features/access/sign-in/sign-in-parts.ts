import type { PasskeyAnswer } from '../../../../shared/api/access-passkeys.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import type { InstallationKey } from '../authentication/installation-key.ts';
import type { KeyVerifier } from '../authentication/verify-key.ts';
import type { PasskeyCheck } from '../passkeys/passkey-check.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import type { CodeTries } from './code-tries.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { PasswordHasher } from './passwords.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import type { UseCode } from './second-factor.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface PasswordAttempt {
  readonly login: string;
  readonly password: string;
  /** Code of the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
  /** Passkey signature, and the page it was made on. */
  readonly passkey?: { readonly party: RelyingParty; readonly answer: PasskeyAnswer } | undefined;
}

export interface SignInParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly hasher: PasswordHasher;
  readonly limit: SignInLimit;
  readonly keys: KeyVerifier;
  readonly installationKey: InstallationKey;
  readonly useCode: UseCode;
  readonly codeTries: CodeTries;
  readonly passkeyCheck: PasskeyCheck;
  readonly browsers: KnownBrowsers;
  readonly pending: PendingSignIns;
}
