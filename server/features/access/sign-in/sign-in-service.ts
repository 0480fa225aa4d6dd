import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/seal.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import type { InstallationKey } from '../authentication/installation-key.ts';
import type { KeyVerifier } from '../authentication/verify-key.ts';
import { createIdentity } from '../identity.ts';
import { createOwnPasskeys } from '../passkeys/own-passkeys.ts';
import { createPasskeyCheck } from '../passkeys/passkey-check.ts';
import { createPasskeySignIn } from '../passkeys/passkey-sign-in.ts';
import type { ChangePolicy } from '../policy-change.ts';
import type { Resources } from '../resources.ts';
import type { SignInService } from '../service.ts';
import type { AccessSettings } from '../types.ts';
import { createPasswordChange } from './change-password.ts';
import { createCodeTries } from './code-tries.ts';
import { createKnownBrowsers } from './known-browsers.ts';
import { createOwnQuickSignIn } from './own-quick-sign-in.ts';
import type { PasswordHasher } from './passwords.ts';
import { createPendingSignIns } from './pending-sign-ins.ts';
import { createQuickSignIn } from './quick-sign-in.ts';
import { createCodeCheck } from './second-factor.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import type { SignInLimit } from './sign-in-limit.ts';
import type { StoredLimit } from './stored-limit.ts';
import { createTwoFactor } from './two-factor.ts';

interface SignInServiceParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly seal: Seal;
  readonly hasher: PasswordHasher;
  readonly limit: SignInLimit;
  readonly storedLimit: StoredLimit;
  readonly keys: KeyVerifier;
  readonly installationKey: InstallationKey;
  readonly settings: AccessSettings;
  readonly changePolicy: ChangePolicy;
  readonly resources: Resources;
  readonly forgetCallers: () => void;
}

/** Creates the service to sign in and out, and to change one's own credentials. */
export function createSignInService(parts: SignInServiceParts): SignInService {
  const { db, settings } = parts;
  const useCode = createCodeCheck(parts);
  const codeTries = createCodeTries({ db, limit: parts.storedLimit });
  const passkeyCheck = createPasskeyCheck(parts);
  const pending = createPendingSignIns(parts);
  const browsers = createKnownBrowsers(parts);
  const issuer = () => settings.organization() ?? 'Faxdesk';
  const factors = { ...parts, useCode, codeTries, passkeyCheck, issuer };
  return {
    signIn: createSignIn({ ...factors, browsers, pending }),
    passkeySignIn: createPasskeySignIn({ ...factors, browsers, pending }),
    sessions: createSessions(parts),
    changePassword: createPasswordChange({ ...parts, ...settings }),
    twoFactor: createTwoFactor(factors),
    passkeys: createOwnPasskeys(factors),
    quickSignIn: createQuickSignIn({ ...parts, browsers, pending }),
    ownQuickSignIn: createOwnQuickSignIn(factors),
    pending,
    identity: createIdentity({ db }),
  };
}
