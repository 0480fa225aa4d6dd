import { access } from '../../../api/access.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/access.ts';
import type { Group, Role } from '../lists/short-lists.ts';
import type { ManagedKind, Principal } from './people-queries.ts';

const words = t.access.person;

/** Access of a new person besides the sign-in; null for none. */
export interface FirstAccess {
  readonly role: Pick<Role, 'id' | 'name' | 'version'> | null;
  /** Resource of the role. */
  readonly resourceId: string;
  readonly group: Pick<Group, 'id' | 'name' | 'version'> | null;
}

export interface PrincipalToCreate extends FirstAccess {
  readonly name: string;
  readonly login: string;
}

interface Created {
  readonly user: Principal;
  /** Null for an integration. */
  readonly password: string | null;
  /** Sentences about a role or a group that was refused. */
  readonly refused: readonly string[];
}

/**
 * Creates a person or integration, then gives the role and adds to the group. These may be refused while the person is
 * there already, with a password that is shown only now: the refusal is then part of the answer.
 */
export async function createPrincipal(
  kind: ManagedKind,
  typed: PrincipalToCreate,
  policyVersion: number,
): Promise<Created> {
  const body = { display_name: typed.name, expected_policy_version: policyVersion };
  const created =
    kind === 'integration'
      ? { ...(await access.people.createIntegration({ body })), temporary_password: null }
      : await access.people.createUser({ body: { ...body, login: typed.login } });
  const { user, temporary_password: password } = created;
  const refused: string[] = [];
  let version = created.policy_version;
  const attempt = async (failed: string, change: () => Promise<{ policy_version: number }>) => {
    try {
      version = (await change()).policy_version;
    } catch (error) {
      refused.push(words.refused(failed, sentenceOf(error)));
    }
  };
  const { role, resourceId, group } = typed;
  if (role)
    await attempt(words.roleRefused(role.name), () =>
      access.assignments.createAssignment({
        body: {
          subject: { kind: 'principal', id: user.id, version: user.version },
          role: { id: role.id, version: role.version },
          resource_id: resourceId,
          expected_policy_version: version,
        },
      }),
    );
  if (group)
    await attempt(words.groupRefused(group.name), () =>
      access.groups.addMember({
        params: { id: group.id },
        body: {
          principal_id: user.id,
          principal_version: user.version,
          group_version: group.version,
          expected_policy_version: version,
        },
      }),
    );
  return { user, password, refused };
}
