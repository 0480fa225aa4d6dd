import type { Database, SharedTime } from '../../db/database.ts';
import type { AnsweredRequests } from '../../http/answered-requests.ts';
import type { Authenticator } from '../../http/caller.ts';
import type { ServedRoute } from '../../http/handler.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import { isShortKey, SHORT_KEY } from '../../platform/short-key.ts';
import type { CountedEvents, SecurityAudit } from '../audit/service.ts';
import { defineRoom, type Room } from '../room.ts';
import { createAnsweredRequests } from './answered-requests.ts';
import { createAuthenticator } from './authentication/authenticator.ts';
import { createCallerCache } from './authentication/caller-cache.ts';
import { createInstallationKey } from './authentication/installation-key.ts';
import { createCallerFor } from './authentication/intake-caller.ts';
import { createLastUse } from './authentication/last-use.ts';
import type { Listening } from './authentication/origins.ts';
import { createTerminalKeys } from './authentication/terminal-keys.ts';
import { createKeyVerifier } from './authentication/verify-key.ts';
import { createSessionVerifier } from './authentication/verify-session.ts';
import { createDocumentReads, type NoteDocumentRead } from './document-reads.ts';
import { createKeys } from './keys/keys.ts';
import { mailboxServedRoutes } from './mailboxes/mailbox-routes.ts';
import { createMailboxes } from './mailboxes/mailboxes.ts';
import { createNumberRules } from './mailboxes/number-rules.ts';
import { createGroupMembers } from './people/group-members.ts';
import { groupServedRoutes } from './people/group-routes.ts';
import { createGroups } from './people/groups.ts';
import { createOwnerEnrolment } from './people/owner.ts';
import { createPeople } from './people/people.ts';
import { peopleServedRoutes } from './people/people-routes.ts';
import { createPersonChanges } from './people/person-changes.ts';
import { type ChangePolicy, createPolicyChange } from './policy-change.ts';
import type { DocumentNames } from './port.ts';
import { createRefusedRequests } from './refused-requests.ts';
import { createResources, type Resources } from './resources.ts';
import { assignmentServedRoutes } from './roles/assignment-routes.ts';
import { createAssignments } from './roles/assignments.ts';
import { ensureBuiltIns } from './roles/built-ins.ts';
import { roleServedRoutes } from './roles/role-routes.ts';
import { createRoles } from './roles/roles.ts';
import { accessServedRoutes } from './routes.ts';
import { type AccessService, createAccessService } from './service.ts';
import { ACCESS_SETTINGS } from './settings.ts';
import { argon2Hasher, type PasswordHasher } from './sign-in/passwords.ts';
import { createSignInLimit } from './sign-in/sign-in-limit.ts';
import { createSignInService } from './sign-in/sign-in-service.ts';
import { createStoredLimit } from './sign-in/stored-limit.ts';
import { hasOwner, hasSettledOwner } from './store/grants.ts';
import { countLeftKeys } from './store/keys.ts';
import { bumpRevision } from './store/policy.ts';
import { BOOTSTRAP_ID } from './store/principals.ts';
import { revokeBootstrapSessions } from './store/sessions.ts';
import type { AccessSettings } from './types.ts';

export { accessSettings } from './settings.ts';
export { hasSettledOwner } from './store/grants.ts';

interface AccessParts {
  db: Database;
  clock: Clock;
  /** Time by which all gateways count attempts to sign in. */
  sharedTime: SharedTime;
  logger: Logger;
  audit: SecurityAudit;
  counted: CountedEvents;
  seal: Seal;
  hashSecret: Uint8Array;
  settings: AccessSettings;
  /** Null in open mode, where programs of this computer need no credential. */
  installationKey: string | null;
  listening: () => Listening;
  documents: DocumentNames;
  /** argon2id when left out. */
  hasher?: PasswordHasher;
}

export interface Access extends Room {
  authenticator: Authenticator;
  answeredRequests: AnsweredRequests;
  service: AccessService;
  /** For the rooms that have documents. */
  noteDocumentRead: NoteDocumentRead;
  /** Returns true when the installation has an owner. */
  hasOwner(): Promise<boolean>;
  /** Returns the installation key while the installation has no owner, else null. */
  firstOwnerKey(): Promise<string | null>;
}

/** Builds the access room. */
export function createAccess(parts: AccessParts): Access {
  const { db, clock, audit, counted, settings, listening } = parts;
  const hasher = parts.hasher ?? argon2Hasher;
  const cache = createCallerCache({ db, clock });
  const forgetCallers = () => cache.forgetAll();
  const changePolicy = createPolicyChange({ db, audit, forgetCallers });
  const lastUse = createLastUse({ db, logger: parts.logger.room('access') });
  const storedLimit = createStoredLimit({ db, time: parts.sharedTime });
  const limit = createSignInLimit(storedLimit);
  const installationKey = createInstallationKey({ key: parts.installationKey, counted });
  const resources = createResources(parts.documents);
  const base = { ...parts, hasher, changePolicy, resources };
  const keys = createKeyVerifier({ ...base, limit, lastUse });
  const hasInstallationKey = installationKey.isSet;
  const sessions = createSessionVerifier({ ...base, hasInstallationKey });
  const terminalKeys = createTerminalKeys();
  const service = createAccessService({
    terminalKeys,
    keys: createKeys(base),
    changePolicy,
    limit: storedLimit,
    enrollOwner: createOwnerEnrolment(base),
    callerFor: createCallerFor(parts),
  });
  const signIn = createSignInService({
    ...base,
    limit,
    storedLimit,
    keys,
    installationKey,
    forgetCallers,
  });
  const shared = forOtherRooms(parts);
  const authenticator = createAuthenticator({
    terminalKeys,
    clock,
    settings,
    listening,
    cache,
    keys,
    sessions,
    installationKey,
    lastUse,
    recordRefusal: createRefusedRequests({ clock, counted }),
    hasSettledOwner: () => hasSettledOwner(db.read),
  });
  const answeredRequests = createAnsweredRequests(parts);
  const room = defineRoom({
    name: 'access',
    settings: { names: ACCESS_SETTINGS, changed: async () => undefined },
    served: [...accessServedRoutes({ service, signIn, settings, listening }), ...rightsRoutes(base)],
    start: async () => {
      await prepareStore({ db, clock, audit });
      await signIn.signIn.prepare();
      await answeredRequests.removeExpired();
      forgetCallers();
    },
    // Writes that no request waits for.
    stop: () => lastUse.settled(),
  });
  return { ...room, authenticator, answeredRequests, service, ...shared };
}

const OPEN_MODE =
  'Every program on this computer can do everything without signing in, because REQUIRE_API_KEY is false. This is for development only. Remove it from the environment and restart Faxdesk, or set up an owner.';

const LEFT_KEYS =
  'Some API keys were created by someone who is now disabled, and they stop seven days after that. Revoke them or take them over under Access, API keys, where they are listed first.';

function forOtherRooms(
  parts: AccessParts,
): Pick<Access, 'hasOwner' | 'firstOwnerKey' | 'noteDocumentRead' | 'warnings'> {
  const { db, installationKey } = parts;
  const isOwned = () => hasOwner(db.read);
  return {
    hasOwner: isOwned,
    firstOwnerKey: async () => ((await isOwned()) ? null : installationKey),
    noteDocumentRead: createDocumentReads(parts),
    warnings: async () => [
      ...(installationKey || (await hasSettledOwner(db.read)) ? [] : [OPEN_MODE]),
      ...(installationKey !== null && isShortKey(installationKey) ? [SHORT_KEY] : []),
      ...((await countLeftKeys(db.read)) > 0 ? [LEFT_KEYS] : []),
    ],
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

/** Writes the built-in roles, and ends the sessions of the installation key, which may be another one now. */
async function prepareStore({
  db,
  clock,
  audit,
}: Pick<AccessParts, 'db' | 'clock' | 'audit'>): Promise<void> {
  await ensureBuiltIns({ db, clock, audit });
  await db.transaction(async (tx) => {
    if (await revokeBootstrapSessions(tx, BOOTSTRAP_ID, isoTime(clock.now()))) await bumpRevision(tx);
  });
}
