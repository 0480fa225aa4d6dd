import type { Database } from '../../server/db/database.ts';
import { argon2Hasher } from '../../server/features/access/sign-in/passwords.ts';
import { bumpPolicy } from '../../server/features/access/store/policy.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { newId } from '../../server/platform/ids.ts';
import { INSTALLATION } from '../../shared/permissions.ts';
import type { TestGateway } from './access-setup.ts';

export const GOOD_PASSWORD = 'seven brown horses';

/** Changes access behind the room's back, as another process does: seen after 250 ms. */
export async function changeFromOutside(
  gateway: TestGateway,
  work: Parameters<Database['transaction']>[0],
): Promise<void> {
  await gateway.db.transaction(async (tx) => {
    await work(tx);
    await bumpPolicy(tx);
  });
  gateway.clock.ms += 250;
}

/** A person with a password, and a role of their own that holds `permissions` on `resourceId`. */
export async function addPerson(
  gateway: TestGateway,
  person: { login: string; permissions?: string[]; resourceId?: string; changeRequired?: boolean },
): Promise<{ id: string; roleId: string }> {
  const id = newId();
  const roleId = newId();
  const at = isoTime(gateway.clock.ms);
  const stamps = { version: 1, created_at: at, updated_at: at };
  const password_hash = await argon2Hasher.hash(GOOD_PASSWORD);
  await changeFromOutside(gateway, async (tx) => {
    await tx
      .insertInto('principal')
      .values({
        id,
        kind: 'user',
        login: person.login,
        display_name: person.login,
        search_text: person.login,
        enabled: 1,
        password_hash,
        password_change_required: person.changeRequired ? 1 : 0,
        ...stamps,
      })
      .execute();
    const role = {
      id: roleId,
      name: `role of ${person.login}`,
      description: '',
      built_in: 0,
      hidden: 0,
      requires_two_factor: 0,
    } as const;
    await tx
      .insertInto('role')
      .values({ ...role, enabled: 1, ...stamps })
      .execute();
    for (const permission of person.permissions ?? [])
      await tx.insertInto('role_permission').values({ role_id: roleId, permission }).execute();
    await assign(tx, { kind: 'principal', id }, roleId, person.resourceId ?? INSTALLATION, at);
  });
  return { id, roleId };
}

export async function assign(
  tx: Parameters<Parameters<Database['transaction']>[0]>[0],
  subject: { kind: 'principal' | 'group'; id: string },
  roleId: string,
  resourceId: string,
  at: string,
): Promise<void> {
  await tx
    .insertInto('assignment')
    .values({
      id: newId(),
      subject_kind: subject.kind,
      subject_id: subject.id,
      role_id: roleId,
      resource_id: resourceId,
      version: 1,
      created_at: at,
    })
    .execute();
}

/** A key of an existing principal, as a later release's key screen makes it. */
export async function addKey(
  gateway: TestGateway,
  key: {
    principalId: string;
    ceiling: [permission: string, resourceId: string][];
    secretHash: string;
    keyId?: string;
    hashKind?: 'sha256' | 'scrypt';
    state?: 'active' | 'review';
  },
): Promise<string> {
  const keyId = key.keyId ?? newId();
  await changeFromOutside(gateway, (tx) =>
    tx
      .insertInto('api_key')
      .values({
        key_id: keyId,
        principal_id: key.principalId,
        name: null,
        note: null,
        owner: null,
        made_by: null,
        made_by_name: 'Local operator',
        maker_left_at: '',
        secret_hash: key.secretHash,
        hash_kind: key.hashKind ?? 'sha256',
        test: 0,
        ceiling: JSON.stringify(
          key.ceiling.map(([permission, resource_id]) => ({ permission, resource_id })),
        ),
        state: key.state ?? 'active',
        version: 1,
        created_at: isoTime(gateway.clock.ms),
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      })
      .execute(),
  );
  return keyId;
}
