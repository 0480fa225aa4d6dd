import type { Database, ReadDb, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { assertMayChange } from '../authority/may-change.ts';
import { changedFields, type Patch, patched } from '../changed-fields.ts';
import { AccessConflictError, MissingError } from '../errors.ts';
import { assertNameFree } from '../names.ts';
import type { ChangePolicy } from '../policy-change.ts';
import type { Resources } from '../resources.ts';
import {
  findGroup,
  groupNames,
  insertGroup,
  listGroups,
  listMembers,
  type StoredGroup,
  type StoredMember,
  updateGroup,
} from '../store/groups.ts';
import { readPolicy } from '../store/policy.ts';
import type { ActorWithGrants, ChangeResult, ItemVersion, PageRequest } from '../types.ts';

interface GroupFields {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
}

export interface GroupsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly changePolicy: ChangePolicy;
  readonly resources: Resources;
}

/** Groups of people and integrations. Refusals: 403 grants more than the actor holds, 404, 409 stale or taken. */
export interface Groups {
  list(
    page: PageRequest,
  ): Promise<{ items: StoredGroup[]; next_cursor: string | null; policyVersion: number }>;
  get(id: string): Promise<{ group: StoredGroup; members: StoredMember[]; policyVersion: number }>;
  create(
    actor: ActorWithGrants,
    group: GroupFields & { expectedVersion: number },
  ): Promise<ChangeResult<StoredGroup>>;
  change(
    actor: ActorWithGrants,
    item: ItemVersion,
    patch: Patch<GroupFields>,
  ): Promise<ChangeResult<StoredGroup>>;
}

export function createGroups(parts: GroupsParts): Groups {
  const { db, changePolicy } = parts;
  return {
    async list(page) {
      // First, so that what is newer than it is refused and not overwritten.
      const { version: policyVersion } = await readPolicy(db.read);
      return { ...(await listGroups(db.read, page)), policyVersion };
    },

    async get(id) {
      const { version: policyVersion } = await readPolicy(db.read);
      const group = await groupOf(db.read, id);
      return { group, members: await listMembers(db.read, id), policyVersion };
    },

    create: (actor, { expectedVersion, ...fields }) =>
      changePolicy({
        actor,
        operation: 'group.create',
        expectedVersion,
        work: (tx) => create(tx, fields, isoTime(parts.clock.now())),
        describe: ({ id }) => ({ target: { kind: 'group', id }, details: fields }),
      }),

    async change(actor, item, patch) {
      const changed = await changePolicy({
        actor,
        operation: 'group.change',
        expectedVersion: item.expectedVersion,
        work: async (tx) => {
          await groupOf(tx, item.id);
          await assertMayChange(tx, parts.resources, actor, { kind: 'group', id: item.id });
          return change(tx, item, patch, isoTime(parts.clock.now()));
        },
        describe: ({ before, after }) => ({
          target: { kind: 'group', id: item.id },
          details: { group: after.name, ...changedFields(fieldsOf(before), fieldsOf(after)) },
        }),
      });
      return { ...changed, result: changed.result.after };
    },
  };
}

/** Throws a 404 refusal. */
export async function groupOf(db: ReadDb, id: string): Promise<StoredGroup> {
  const group = await findGroup(db, id);
  if (!group) throw new MissingError('no_such_group');
  return group;
}

const fieldsOf = ({ name, description, enabled }: StoredGroup): GroupFields => ({
  name,
  description,
  enabled: enabled === 1,
});

async function create(tx: WriteTx, fields: GroupFields, now: string): Promise<StoredGroup> {
  assertNameFree(await groupNames(tx), fields.name);
  const { name, description } = fields;
  const enabled = fields.enabled ? 1 : 0;
  const row = {
    id: newId(),
    name,
    description,
    enabled,
    version: 1,
    created_at: now,
    updated_at: now,
  } as const;
  await insertGroup(tx, row);
  return { ...row, member_count: 0 };
}

async function change(
  tx: WriteTx,
  { id, version }: ItemVersion,
  patch: Patch<GroupFields>,
  now: string,
): Promise<{ before: StoredGroup; after: StoredGroup }> {
  const before = await groupOf(tx, id);
  const fields = patched(fieldsOf(before), patch);
  if (fields.name !== before.name) assertNameFree(await groupNames(tx), fields.name, id);
  const row = { ...fields, enabled: fields.enabled ? 1 : 0 } as const;
  if (!(await updateGroup(tx, { id, version, now }, row))) throw new AccessConflictError();
  return { before, after: await groupOf(tx, id) };
}
