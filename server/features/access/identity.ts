import type { z } from 'zod';
import type { AuthMeResponse } from '../../../shared/api/access.ts';
import { INSTALLATION, type Permission } from '../../../shared/permissions.ts';
import type { Database } from '../../db/database.ts';
import type { AuthenticatedCaller } from './authenticated-caller.ts';
import { heldOnInstallation } from './permission-summary.ts';
import { hasOwner, ownerIds } from './store/grants.ts';
import { readPolicy } from './store/policy.ts';
import { findPrincipal } from './store/principals.ts';

/** Description of a caller, as returned to them. */
export interface Identity {
  /** No owner is enrolled yet. */
  setupNeeded(): Promise<boolean>;
  me(caller: AuthenticatedCaller): Promise<z.infer<typeof AuthMeResponse>>;
}

/** Permissions that allow granting: by an assignment, a key, a member of a group or a permission of a role. */
const GRANTING: readonly Permission[] = ['grants:manage', 'keys:manage', 'groups:manage', 'roles:manage'];

/** Returns the permissions that the caller can grant: their own, if they may change those of others. */
function grantableBy(caller: AuthenticatedCaller): Permission[] {
  return GRANTING.some((permission) => caller.holds(permission)) ? heldOnInstallation(caller) : [];
}

export function createIdentity(parts: { db: Database }): Identity {
  return {
    async setupNeeded() {
      return !(await hasOwner(parts.db.read));
    },

    async me(caller) {
      const { id, kind, displayName, version } = caller.principal;
      const { session } = caller;
      const owners = await ownerIds(parts.db.read);
      const policy = await readPolicy(parts.db.read);
      return {
        principal: { id, kind, display_name: displayName, version },
        login: session && kind === 'user' ? ((await findPrincipal(parts.db.read, id))?.login ?? null) : null,
        source: session ? 'session' : 'key',
        password_change_required: caller.passwordChangeRequired,
        two_factor_setup_required: caller.twoFactorSetupRequired,
        policy_version: policy.version,
        permissions: heldOnInstallation(caller),
        ...(caller.isTest ? { test: true } : {}),
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
        address_token: session?.addressToken ?? null,
      };
    },
  };
}
