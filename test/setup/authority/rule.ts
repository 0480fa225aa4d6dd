// The rule of authority a second time, written from docs/decisions/0012 and from nothing else: plain lists, no query, no
// cache, no part of the gateway. A gateway that answers otherwise is wrong, or the page is.

export interface World {
  readonly people: { readonly id: string; readonly enabled: boolean }[];
  readonly groups: { readonly id: string; readonly enabled: boolean; readonly members: string[] }[];
  readonly roles: { readonly id: string; readonly enabled: boolean; readonly permissions: string[] }[];
  readonly mailboxes: { readonly id: string; readonly number: string }[];
  readonly assignments: Assignment[];
  readonly keys: Key[];
  readonly sent: { readonly id: string; readonly mailbox: string | null; readonly by: string }[];
  /** Each with its work item. */
  readonly received: { readonly id: string; readonly mailbox: string | null; readonly item: string }[];
}

interface Assignment {
  readonly id: string;
  readonly subject: string;
  readonly role: string;
  readonly on: string;
}

export interface Key {
  readonly id: string;
  readonly token: string;
  readonly owner: string;
  readonly ends: 'never' | 'ended' | 'revoked';
  readonly ceiling: { readonly permission: string; readonly on: string }[];
}

/** Resources that contain a thing, including itself; everything is in the installation. */
type Containers = readonly string[];

const EVERYWHERE: Containers = ['installation'];
const READ_PERMISSIONS = ['inbound:list', 'inbound:read', 'inbound:document'];

export const containersOf = (mailbox: string | null, own: string | null = null): Containers => [
  ...EVERYWHERE,
  ...(mailbox === null ? [] : [`mailbox:${mailbox}`]),
  ...(own === null ? [] : [`inbound:${own}`]),
];

/** A resource that roles are given on, and what it lies in. */
function containersOfResource(world: World, name: string): Containers {
  const fax = world.received.find(({ id }) => name === `inbound:${id}`);
  if (fax) return containersOf(fax.mailbox, fax.id);
  return name === 'installation' ? EVERYWHERE : [...EVERYWHERE, name];
}

/** Those of faxes and work count wherever they are held, the others on the installation alone. */
const isEffectiveOn = (permission: string, on: string) =>
  on === 'installation' || /^(?:fax|inbound|work):/u.test(permission);

/** Lists the resources on which an enabled role grants the permission to a person. */
function listGrantedResources(world: World, person: string, permission: string): string[] {
  const groups = world.groups.filter(({ enabled, members }) => enabled && members.includes(person));
  const subjects = [person, ...groups.map(({ id }) => id)];
  return world.assignments
    .filter(({ subject, role, on }) => {
      const found = world.roles.find(({ id }) => id === role);
      const gives = found?.enabled && found.permissions.includes(permission);
      return gives && subjects.includes(subject) && isEffectiveOn(permission, on);
    })
    .map(({ on }) => on);
}

function listCeilingResources(key: Key, permission: string): string[] {
  return key.ceiling.filter((each) => each.permission === permission).map(({ on }) => on);
}

/** Returns true when the key holds the permission for things at that place. */
export function holds(world: World, key: Key, permission: string, containers: Containers): boolean {
  const counted = containers.filter((on) => isEffectiveOn(permission, on));
  const covers = (resources: string[]) => resources.some((each) => counted.includes(each));
  return (
    covers(listGrantedResources(world, key.owner, permission)) &&
    covers(listCeilingResources(key, permission))
  );
}

/** Returns true when the key holds the permission on at least one resource. */
export function holdsSomewhere(world: World, key: Key, permission: string): boolean {
  const names = [
    ...listGrantedResources(world, key.owner, permission),
    ...listCeilingResources(key, permission),
  ];
  return names.some((name) => holds(world, key, permission, containersOfResource(world, name)));
}

export function isInForce(world: World, key: Key): boolean {
  return key.ends === 'never' && (world.people.find(({ id }) => id === key.owner)?.enabled ?? false);
}

type Sent = World['sent'][number];

export function maySent(world: World, key: Key, permission: string, fax: Sent): boolean {
  const containers = containersOf(fax.mailbox);
  if (holds(world, key, permission, containers)) return true;
  const reaches = listCeilingResources(key, permission).some((on) => containers.includes(on));
  return fax.by === key.owner && reaches && holdsSomewhere(world, key, permission);
}

/** Returns the status of a request about one sent fax: `done` when it is allowed. */
export function answerSent(world: World, key: Key, permission: string, fax: Sent): number | 'done' {
  if (!isInForce(world, key)) return 401;
  if (!holdsSomewhere(world, key, permission)) return 403;
  if (maySent(world, key, permission, fax)) return 'done';
  const isTheirs = fax.by === key.owner && maySent(world, key, 'fax:send', fax);
  return isTheirs || maySent(world, key, 'fax:read', fax) ? 403 : 404;
}

export function answerReceived(
  world: World,
  key: Key,
  permission: string,
  fax: World['received'][number],
): number | 'done' {
  if (!isInForce(world, key)) return 401;
  if (!holdsSomewhere(world, key, permission)) return 403;
  const containers = containersOf(fax.mailbox, fax.id);
  if (holds(world, key, permission, containers)) return 'done';
  return READ_PERMISSIONS.some((seeing) => holds(world, key, seeing, containers)) ? 403 : 404;
}

/** Returns the status of an import that would be filed in the mailbox, or in none. */
export function answerImport(world: World, key: Key, mailbox: string | null): number | 'done' {
  if (!isInForce(world, key)) return 401;
  return holds(world, key, 'work:import', containersOf(mailbox)) ? 'done' : 403;
}

/**
 * Returns the status of a request about the work item of a received fax: callers who may see it get 403 for what they
 * may not do.
 */
export function answerWork(
  world: World,
  key: Key,
  permission: string,
  fax: World['received'][number],
): number | 'done' {
  if (!isInForce(world, key)) return 401;
  if (!holdsSomewhere(world, key, permission)) return 403;
  const containers = containersOf(fax.mailbox, fax.id);
  if (holds(world, key, permission, containers)) return 'done';
  return holds(world, key, 'work:read', containers) ? 403 : 404;
}

export type ChangedKind = 'person' | 'group' | 'role' | 'assignment' | 'key' | 'mailbox';

/** Lists the permissions that the changed thing conveys, in force or not. */
function listConveyedPermissions(
  world: World,
  changedKind: ChangedKind,
  id: string,
): { permission: string; on: string }[] {
  const ofRole = (role: string, on: string) =>
    (world.roles.find((each) => each.id === role)?.permissions ?? []).map((permission) => ({
      permission,
      on,
    }));
  const of = (fits: (each: Assignment) => boolean) =>
    world.assignments.filter(fits).flatMap(({ role, on }) => ofRole(role, on));
  if (changedKind === 'key') return world.keys.find((key) => key.id === id)?.ceiling ?? [];
  if (changedKind === 'mailbox')
    return READ_PERMISSIONS.map((permission) => ({ permission, on: `mailbox:${id}` }));
  if (changedKind === 'role') return of(({ role }) => role === id);
  if (changedKind === 'assignment') return of((each) => each.id === id);
  if (changedKind === 'group') return of(({ subject }) => subject === id);
  const groups = world.groups.filter(({ members }) => members.includes(id)).map((group) => group.id);
  return of(({ subject }) => subject === id || groups.includes(subject));
}

/**
 * Returns the status of a change. It requires its permission on the installation and every permission that the changed
 * thing conveys, on the same resource.
 */
export function answerChange(
  world: World,
  key: Key,
  permission: string,
  { changedKind, id }: { changedKind: ChangedKind; id: string },
): number | 'done' {
  if (!isInForce(world, key)) return 401;
  if (!holds(world, key, permission, EVERYWHERE)) return 403;
  const held = listConveyedPermissions(world, changedKind, id).filter((each) =>
    isEffectiveOn(each.permission, each.on),
  );
  return held.every((each) => holds(world, key, each.permission, containersOfResource(world, each.on)))
    ? 'done'
    : 403;
}
