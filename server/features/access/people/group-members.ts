import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { assertMayChange, isThemselves } from '../authority/may-change.ts';
import { AccessConflictError, AccessValueError, MissingError } from '../errors.ts';
import type { Resources } from '../resources.ts';
import {
  deleteMember,
  findMember,
  insertMember,
  isMember,
  type StoredGroup,
  type StoredMember,
  updateGroup,
} from '../store/groups.ts';
import { BOOTSTRAP_ID, findPrincipal } from '../store/principals.ts';
import type { ActorWithGrants, ChangeResult, ItemVersion } from '../types.ts';
import { type GroupsParts, groupOf } from './groups.ts';

interface Membership {
  readonly group: StoredGroup;
  readonly member: StoredMember;
}

/** Members of groups. Refusals: 403 the group holds more than the actor, 404, 409 stale or in it already. */
export interface GroupMembers {
  add(
    actor: ActorWithGrants,
    group: ItemVersion,
    principal: { id: string; version: number },
  ): Promise<ChangeResult<Membership>>;
  remove(
    actor: ActorWithGrants,
    group: ItemVersion,
    membership: { id: string; version: number },
  ): Promise<ChangeResult<Membership>>;
}

export function createGroupMembers(parts: GroupsParts): GroupMembers {
  const describe = ({ group, member }: Membership) => ({
    target: { kind: 'group', id: group.id },
    details: { group: group.name, principal_id: member.principal_id, principal: member.display_name },
  });
  const { resources } = parts;
  const now = () => isoTime(parts.clock.now());
  return {
    add: (actor, group, principal) =>
      parts.changePolicy({
        actor,
        operation: 'group.add_member',
        expectedVersion: group.expectedVersion,
        work: (tx) => add(tx, { resources, actor, group, principal, now: now() }),
        describe,
      }),

    remove: (actor, group, membership) =>
      parts.changePolicy({
        actor,
        operation: 'group.remove_member',
        expectedVersion: group.expectedVersion,
        work: (tx) => remove(tx, { resources, actor, group, membership, now: now() }),
        describe,
      }),
  };
}

async function add(
  tx: WriteTx,
  wanted: {
    resources: Resources;
    actor: ActorWithGrants;
    group: ItemVersion;
    principal: { id: string; version: number };
    now: string;
  },
): Promise<Membership> {
  const { group, principal, now } = wanted;
  await groupOf(tx, group.id);
  const found = await findPrincipal(tx, principal.id);
  if (!found) throw new MissingError('no_such_person');
  if (found.id === BOOTSTRAP_ID) throw new AccessValueError('installation_key_fixed');
  if (found.version !== principal.version) throw new AccessConflictError();
  if (await isMember(tx, group.id, found.id)) throw new AccessConflictError('already_member');
  await assertMayChange(tx, wanted.resources, wanted.actor, { kind: 'group', id: group.id });
  if (!(await updateGroup(tx, { ...group, now }))) throw new AccessConflictError();
  const id = newId();
  await insertMember(tx, {
    id,
    group_id: group.id,
    principal_id: found.id,
    version: 1,
    created_at: now,
  });
  return { group: await groupOf(tx, group.id), member: await memberOf(tx, group.id, id) };
}

async function remove(
  tx: WriteTx,
  wanted: {
    resources: Resources;
    actor: ActorWithGrants;
    group: ItemVersion;
    membership: { id: string; version: number };
    now: string;
  },
): Promise<Membership> {
  const { actor, group, membership, now } = wanted;
  await groupOf(tx, group.id);
  const member = await memberOf(tx, group.id, membership.id);
  if (!isThemselves(actor, { principalId: member.principal_id, keyId: null }))
    await assertMayChange(tx, wanted.resources, actor, { kind: 'group', id: group.id });
  if (!(await deleteMember(tx, membership.id, membership.version))) throw new AccessConflictError();
  if (!(await updateGroup(tx, { ...group, now }))) throw new AccessConflictError();
  return { group: await groupOf(tx, group.id), member };
}

async function memberOf(tx: WriteTx, groupId: string, id: string): Promise<StoredMember> {
  const member = await findMember(tx, groupId, id);
  if (!member) throw new MissingError('no_such_member');
  return member;
}
