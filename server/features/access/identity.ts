import type { z } from 'zod';
import { type AuthMeResponse, type ConsoleContextResponse, LOGO_PATH } from '../../../shared/api/access.ts';
import { LIMITS } from '../../../shared/limits.ts';
import {
  ALL_PERMISSIONS,
  INSTALLATION,
  isForDocuments,
  type Permission,
} from '../../../shared/permissions.ts';
import type { Database, ReadDb } from '../../db/database.ts';
import { type KnownCaller, visibleTo } from './caller.ts';
import { ownerIds } from './store/grants.ts';
import { enabledMailboxes, type NamedMailbox } from './store/mailboxes.ts';
import { readPolicy } from './store/policy.ts';
import type { ConsoleFacts } from './types.ts';

/** What callers are told about themselves. */
export interface Identity {
  /** No owner is enrolled yet. */
  setupNeeded(): Promise<boolean>;
  me(caller: KnownCaller): Promise<z.infer<typeof AuthMeResponse>>;
  context(caller: KnownCaller): Promise<z.infer<typeof ConsoleContextResponse>>;
}

/** In the order of the roles screen. */
function permissionsOf(caller: KnownCaller): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => caller.permissions.has(permission));
}

/** By an assignment, a key, a member of a group or a permission of a role. */
const GRANTING: readonly Permission[] = ['grants:manage', 'keys:manage', 'groups:manage', 'roles:manage'];

/** Only who may change what others hold can pass on what they hold themselves. */
function grantableBy(caller: KnownCaller): Permission[] {
  return GRANTING.some((permission) => caller.holds(permission)) ? permissionsOf(caller) : [];
}

/** By label; of everything only the first, because nobody picks from more. */
function mailboxesToSendFor(db: ReadDb, caller: KnownCaller): Promise<NamedMailbox[]> {
  const { everything, mailboxIds } = visibleTo(caller, 'fax:send');
  return enabledMailboxes(db, everything ? null : mailboxIds, LIMITS.mailboxChoices);
}

export function createIdentity(parts: { db: Database; consoleFacts: ConsoleFacts }): Identity {
  return {
    async setupNeeded() {
      return (await ownerIds(parts.db.read)).length === 0;
    },

    async me(caller) {
      const { id, kind, displayName, version } = caller.principal;
      const { session } = caller;
      const owners = await ownerIds(parts.db.read);
      const policy = await readPolicy(parts.db.read);
      return {
        principal: { id, kind, display_name: displayName, version },
        source: session ? 'session' : 'key',
        password_change_required: caller.passwordChangeRequired,
        two_factor_setup_required: caller.twoFactorSetupRequired,
        policy_version: policy.version,
        permissions: permissionsOf(caller),
        session: session && {
          id: session.id,
          source_kind: session.sourceKind,
          expires_at: session.expiresAt,
        },
        can_enroll_owner: kind === 'bootstrap' && owners.length === 0,
        // A limited key of an owner is not an owner.
        is_owner: owners.includes(id) && (caller.keyId === null || caller.holds('owner:recover')),
        grantable: { [INSTALLATION]: grantableBy(caller) },
        csrf_token: session?.csrfToken ?? null,
      };
    },

    async context(caller) {
      const facts = await parts.consoleFacts.read();
      const policy = await readPolicy(parts.db.read);
      return {
        policy_version: policy.version,
        active_revision_id: facts.activeRevisionId,
        generation: facts.generation,
        permissions: permissionsOf(caller),
        anywhere: ALL_PERMISSIONS.filter((name) => isForDocuments(name) && caller.holdsAnywhere(name)),
        navigation: {
          jobs: caller.holdsAnywhere('fax:read'),
          inbox: caller.holdsAnywhere('inbound:list'),
          send: caller.holdsAnywhere('fax:send'),
          work: caller.holdsAnywhere('work:read'),
        },
        send: caller.holdsAnywhere('fax:send')
          ? { ...facts.send, mailboxes: await mailboxesToSendFor(parts.db.read, caller) }
          : null,
        inbound_enabled: caller.holdsAnywhere('inbound:list') ? facts.inboundEnabled : null,
        branding: { docs_base: facts.docsBase, logo_path: LOGO_PATH },
        provider_view: caller.holds('providers:read') ? facts.providerView : null,
        provider_names: facts.providerNames,
      };
    },
  };
}
