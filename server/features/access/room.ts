import type { Database } from '../../db/database.ts';
import type { Authenticator } from '../../http/caller.ts';
import type { ServedRoute } from '../../http/handler.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';
import { assignmentServedRoutes } from './assignment-routes.ts';
import { createAssignments } from './assignments.ts';
import { createAuthenticator } from './authenticator.ts';
import { ensureBuiltIns } from './built-ins.ts';
import { CallerCache } from './caller-cache.ts';
import { createPasswordChange } from './change-password.ts';
import { createGroupMembers } from './group-members.ts';
import { groupServedRoutes } from './group-routes.ts';
import { createGroups } from './groups.ts';
import { createIdentity } from './identity.ts';
import { createInstallationKey } from './installation-key.ts';
import { createKeys } from './keys.ts';
import { createLastUse } from './last-use.ts';
import { mailboxServedRoutes } from './mailbox-routes.ts';
import { createMailboxes } from './mailboxes.ts';
import { createNumberRules } from './number-rules.ts';
import type { Listening } from './origins.ts';
import { createOwnerEnrolment } from './owner.ts';
import { argon2Hasher, type PasswordHasher } from './passwords.ts';
import { createPeople } from './people.ts';
import { peopleServedRoutes } from './people-routes.ts';
import { createPersonChanges } from './person-changes.ts';
import { type ChangePolicy, createPolicyChange } from './policy-change.ts';
import type { DocumentNames } from './port.ts';
import { createKeyRecogniser } from './recognise-key.ts';
import { createSessionRecogniser } from './recognise-session.ts';
import { createResources, type Resources } from './resources.ts';
import { roleServedRoutes } from './role-routes.ts';
import { createRoles } from './roles.ts';
import { accessServedRoutes } from './routes.ts';
import { createCodeCheck } from './second-factor.ts';
import { type AccessService, createAccessService, type SignInService } from './service.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createSignInLimit } from './sign-in-limit.ts';
import { ownerIds } from './store/grants.ts';
import { bumpRevision } from './store/policy.ts';
import { BOOTSTRAP_ID } from './store/principals.ts';
import { revokeBootstrapSessions } from './store/sessions.ts';
import { createStoredLimit } from './stored-limit.ts';
import { createTwoFactor } from './two-factor.ts';
import { twoFactorServedRoutes } from './two-factor-routes.ts';
import type { AccessSettings, ConsoleFacts } from './types.ts';

export interface AccessParts {
  db: Database;
  clock: Clock;
  logger: Logger;
  audit: SecurityAudit;
  seal: Seal;
  settings: AccessSettings;
  /** `API_KEY`; null or empty for none. */
  installationKey: string | null;
  listening: () => Listening;
  consoleFacts: ConsoleFacts;
  documents: DocumentNames;
  /** argon2id when left out. */
  hasher?: PasswordHasher;
}

export interface Access {
  authenticator: Authenticator;
  service: AccessService;
  served: ServedRoute[];
  /** Writes the built-in roles and ends the sessions of the installation key, which may be another one now. */
  start(): Promise<void>;
  /** The installation key while nobody owns the installation, else null. */
  firstOwnerKey(): Promise<string | null>;
  /** Waits for the writes that no request waits for; call it before the database closes. */
  stop(): Promise<void>;
}

/** Builds the access room. */
export function createAccess(parts: AccessParts): Access {
  const { db, clock, audit, seal, settings, listening } = parts;
  const hasher = parts.hasher ?? argon2Hasher;
  const cache = new CallerCache({ db, clock });
  const forgetCallers = () => cache.forgetAll();
  const changePolicy = createPolicyChange({ db, audit, forgetCallers });
  const lastUse = createLastUse({ db, logger: parts.logger.room('access') });
  const storedLimit = createStoredLimit({ db, clock });
  const limit = createSignInLimit(storedLimit);
  const installationKey = createInstallationKey({ key: parts.installationKey, db, clock, audit });
  const resources = createResources(parts.documents);
  const keys = createKeyRecogniser({ db, clock, limit, lastUse, resources });
  const hasInstallationKey = installationKey.isSet;
  const sessions = createSessionRecogniser({ db, clock, settings, resources, hasInstallationKey });
  const service = createAccessService({
    keys: createKeys({ db, clock, changePolicy, resources }),
    changePolicy,
    limit: storedLimit,
    enrollOwner: createOwnerEnrolment({ db, clock, hasher, changePolicy }),
  });
  const useCode = createCodeCheck({ clock, seal });
  const issuer = () => settings.organization() ?? 'Faxdesk';
  const twoFactor = createTwoFactor({ db, clock, seal, hasher, limit, changePolicy, useCode, issuer });
  const signIn: SignInService = {
    signIn: createSignIn({ db, clock, audit, hasher, limit, keys, installationKey, useCode }),
    sessions: createSessions({ db, clock, audit, settings, changePolicy, forgetCallers }),
    changePassword: createPasswordChange({ db, clock, hasher, limit, changePolicy }),
    identity: createIdentity({ db, consoleFacts: parts.consoleFacts }),
  };
  return {
    authenticator: createAuthenticator({
      clock,
      settings,
      listening,
      cache,
      keys,
      sessions,
      installationKey,
      lastUse,
    }),
    service,
    served: [
      ...accessServedRoutes({ service, signIn, settings, listening }),
      ...twoFactorServedRoutes(twoFactor),
      ...rightsRoutes({ db, clock, settings, hasher, changePolicy, resources }),
    ],
    start: async () => {
      await ensureBuiltIns({ db, clock, audit });
      await signIn.signIn.prepare();
      await endBootstrapSessions(db, isoTime(clock.now()));
      forgetCallers();
    },
    firstOwnerKey: async () => ((await ownerIds(db.read)).length === 0 ? parts.installationKey : null),
    stop: () => lastUse.settled(),
  };
}

/** People, groups, roles, who has which where, and mailboxes. */
function rightsRoutes(
  parts: Pick<AccessParts, 'db' | 'clock' | 'settings'> & {
    hasher: PasswordHasher;
    changePolicy: ChangePolicy;
    resources: Resources;
  },
): ServedRoute[] {
  return [
    ...peopleServedRoutes({ people: createPeople(parts), personChanges: createPersonChanges(parts) }),
    ...groupServedRoutes({ groups: createGroups(parts), members: createGroupMembers(parts) }),
    ...roleServedRoutes(createRoles(parts)),
    ...assignmentServedRoutes(createAssignments(parts)),
    ...mailboxServedRoutes({ mailboxes: createMailboxes(parts), rules: createNumberRules(parts) }),
  ];
}

async function endBootstrapSessions(db: Database, now: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (await revokeBootstrapSessions(tx, BOOTSTRAP_ID, now)) await bumpRevision(tx);
  });
}
