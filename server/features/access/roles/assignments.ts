import { LEGACY } from '../../../../shared/permissions.ts';
import { documentResource, mailboxResource } from '../../../../shared/resources.ts';
import type { Database, ReadDb, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { assertMayChange, isThemselves } from '../authority/may-change.ts';
import { assertMayGrant } from '../authority/may-grant.ts';
import { AccessConflictError, AccessValueError, MissingError } from '../errors.ts';
import { groupOf } from '../people/groups.ts';
import type { ChangePolicy } from '../policy-change.ts';
import {
  EVERYTHING,
  type FoundResource,
  IN_NO_MAILBOX,
  type Resource,
  type Resources,
} from '../resources.ts';
import {
  type AssignmentFilter,
  assignedResources,
  deleteAssignment,
  findAssignment,
  isAssigned,
  listAssignments,
  type StoredAssignment,
} from '../store/assignments.ts';
import { insertAssignment } from '../store/grants.ts';
import { mailboxLabels } from '../store/mailboxes.ts';
import { readPolicy } from '../store/policy.ts';
import { BOOTSTRAP_ID, findPrincipal } from '../store/principals.ts';
import type { ActorWithGrants, ChangeResult, ItemVersion } from '../types.ts';
import { permissionsOf, roleOf } from './roles.ts';

interface NewAssignment {
  readonly subject: { readonly kind: 'principal' | 'group'; readonly id: string; readonly version: number };
  readonly role: { readonly id: string; readonly version: number };
  readonly resourceId: string;
  readonly expectedVersion: number;
}

/** An assignment with the resource it is on. */
export interface ShownAssignment extends StoredAssignment {
  readonly resource: Resource;
}

/**
 * Role assignments: a role of a principal on a resource. Refusals: 400 legacy, 403 more than the actor holds there,
 * 404, 409 stale or assigned already.
 */
export interface Assignments {
  list(
    wanted: AssignmentFilter,
  ): Promise<{ items: ShownAssignment[]; next_cursor: string | null; policyVersion: number }>;
  resources(kind: Resource['kind'] | undefined): Promise<ChangeResult<Resource[]>>;
  create(actor: ActorWithGrants, wanted: NewAssignment): Promise<ChangeResult<ShownAssignment>>;
  remove(actor: ActorWithGrants, item: ItemVersion): Promise<ChangeResult<ShownAssignment>>;
}

interface AssignmentsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly changePolicy: ChangePolicy;
  readonly resources: Resources;
}

export function createAssignments(parts: AssignmentsParts): Assignments {
  const { db, changePolicy, resources } = parts;
  return {
    async list(wanted) {
      const { version: policyVersion } = await readPolicy(db.read);
      const page = await listAssignments(db.read, wanted);
      return { ...page, items: await show(resources, db.read, page.items), policyVersion };
    },

    async resources(kind) {
      const { version: policyVersion } = await readPolicy(db.read);
      const all = await listResources(resources, db.read);
      return { result: all.filter((each) => kind === undefined || each.kind === kind), policyVersion };
    },

    create: (actor, wanted) =>
      changePolicy({
        actor,
        operation: 'assignment.create',
        expectedVersion: wanted.expectedVersion,
        work: (tx) => create(tx, resources, { actor, wanted, now: isoTime(parts.clock.now()) }),
        describe,
      }),

    remove: (actor, item) =>
      changePolicy({
        actor,
        operation: 'assignment.remove',
        expectedVersion: item.expectedVersion,
        work: (tx) => remove(tx, resources, actor, item),
        describe,
      }),
  };
}

const describe = (assignment: ShownAssignment) => ({
  target: { kind: 'assignment', id: assignment.id },
  details: {
    subject_kind: assignment.subject_kind,
    subject_id: assignment.subject_id,
    subject: assignment.subject_name,
    role_id: assignment.role_id,
    role: assignment.role_name,
    resource_id: assignment.resource_id,
    resource: assignment.resource.name,
  },
});

async function show(
  resources: Resources,
  db: ReadDb,
  assignments: readonly StoredAssignment[],
): Promise<ShownAssignment[]> {
  const ids = [...new Set(assignments.map((each) => each.resource_id))];
  const named = await resources.name(db, ids);
  return assignments.map((each) => ({ ...each, resource: named.get(each.resource_id) ?? IN_NO_MAILBOX }));
}

/** Everything, every mailbox by label, and the documents that have grants, newest first. */
async function listResources(resources: Resources, db: ReadDb): Promise<Resource[]> {
  const mailboxes = [...(await mailboxLabels(db)).keys()].map(mailboxResource);
  const documents = await assignedResources(db, documentResource(''));
  const named = await resources.name(db, [...mailboxes, ...documents]);
  return [EVERYTHING, ...named.values(), IN_NO_MAILBOX];
}

async function create(
  tx: WriteTx,
  resources: Resources,
  { actor, wanted, now }: { actor: ActorWithGrants; wanted: NewAssignment; now: string },
): Promise<ShownAssignment> {
  const { subject, resourceId } = wanted;
  await assertSubject(tx, subject);
  const role = await roleOf(tx, wanted.role.id);
  if (role.version !== wanted.role.version) throw new AccessConflictError();
  if (role.enabled === 0) throw new AccessConflictError('role_disabled');
  const found = await resourceOf(tx, resources, resourceId);
  const which = { subjectId: subject.id, roleId: role.id, resourceId };
  if (await isAssigned(tx, which)) throw new AccessConflictError('already_assigned');
  const { within } = found;
  const missing = permissionsOf(role).filter((one) => within === null || !actor.holds(one, within));
  assertMayGrant(actor, missing, resourceId);
  const id = newId();
  await insertAssignment(tx, {
    id,
    subject_kind: subject.kind,
    subject_id: subject.id,
    role_id: role.id,
    resource_id: resourceId,
    version: 1,
    created_at: now,
  });
  return { ...(await assignmentOf(tx, id)), resource: found.resource };
}

/** Whoever is to get a role must be as last read. Throws 400, 404 and 409 refusals. */
async function assertSubject(tx: WriteTx, { kind, id, version }: NewAssignment['subject']): Promise<void> {
  if (id === BOOTSTRAP_ID) throw new AccessValueError('installation_key_fixed');
  const subject = kind === 'group' ? await groupOf(tx, id) : await findPrincipal(tx, id);
  if (!subject) throw new MissingError('no_such_person');
  if (subject.version !== version) throw new AccessConflictError();
}

async function resourceOf(tx: WriteTx, resources: Resources, id: string): Promise<FoundResource> {
  if (id === LEGACY) throw new AccessValueError('no_mailbox_resource');
  const found = await resources.find(tx, id);
  if (!found) throw new MissingError('no_such_resource');
  return found;
}

async function remove(
  tx: WriteTx,
  resources: Resources,
  actor: ActorWithGrants,
  { id, version }: ItemVersion,
): Promise<ShownAssignment> {
  const assignment = await assignmentOf(tx, id);
  const { subject_id: principalId, role_id, resource_id: resourceId } = assignment;
  const permissions = permissionsOf(await roleOf(tx, role_id));
  if (!isThemselves(actor, { principalId, keyId: null }))
    await assertMayChange(tx, resources, actor, { kind: 'assignment', permissions, resourceId });
  const [shown] = await show(resources, tx, [assignment]);
  if (!shown || !(await deleteAssignment(tx, id, version))) throw new AccessConflictError();
  return shown;
}

async function assignmentOf(tx: WriteTx, id: string): Promise<StoredAssignment> {
  const assignment = await findAssignment(tx, id);
  if (!assignment) throw new MissingError('no_such_assignment');
  return assignment;
}
