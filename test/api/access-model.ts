import type { Permission } from '../../shared/permissions.ts';
import type { Item } from '../setup/access-administrator.ts';

const SEEING: readonly Permission[] = ['inbound:list', 'inbound:read', 'inbound:document'];
export const MODELED: readonly Permission[] = [...SEEING, 'fax:read', 'fax:document', 'fax:send'];
export const EVERYWHERE = 'installation';

type Changing<T> = { -readonly [K in keyof T]: T[K] };

interface Switchable extends Changing<Item> {
  enabled: boolean;
}

interface ModelGroup extends Switchable {
  /** Memberships by the person's id. */
  readonly members: Map<string, Item>;
}

interface ModelRole extends Switchable {
  permissions: readonly Permission[];
}

interface ModelAssignment extends Item {
  readonly subject: string;
  readonly role: ModelRole;
  readonly resource: string;
}

/** A permission at a resource. */
export type Pair = readonly [Permission, string];

export interface ModelKey {
  readonly keyId: string;
  readonly token: string;
  readonly owner: Switchable;
  version: number;
  ceiling: readonly Pair[];
  isRevoked: boolean;
  expiresMs: number;
}

export interface ModelFax {
  readonly id: string;
  readonly mailboxId: string | null;
  /** Sender of a sent fax. */
  readonly by: string;
}

/** Reference model of access: no query, no cache, and no order of checks. */
export class AccessModel {
  nowMs = 0;
  readonly people: Switchable[] = [];
  readonly groups: ModelGroup[] = [];
  readonly roles: ModelRole[] = [];
  readonly mailboxes: Switchable[] = [];
  readonly assignments: ModelAssignment[] = [];
  readonly keys: ModelKey[] = [];
  /** Number rules by number. */
  readonly rules = new Map<string, { item: Item; mailboxId: string }>();
  readonly received: ModelFax[] = [];
  readonly sent: ModelFax[] = [];

  /** Returns the mailbox where faxes to a number are filed now. */
  filedIn(number: string): string | null {
    const rule = this.rules.get(number);
    const mailbox = this.mailboxes.find(({ id }) => id === rule?.mailboxId);
    return mailbox?.enabled ? mailbox.id : null;
  }

  isAlive(key: ModelKey): boolean {
    return key.owner.enabled && !key.isRevoked && this.nowMs < key.expiresMs;
  }

  /** Lists the permissions that the owner of a key holds now, each with the resource where it was granted. */
  held({ owner }: ModelKey): Pair[] {
    if (!owner.enabled) return [];
    const groups = this.groups.filter(({ enabled, members }) => enabled && members.has(owner.id));
    const subjects = [owner, ...groups].map(({ id }) => id);
    return this.assignments
      .filter(({ subject, role }) => subjects.includes(subject) && role.enabled)
      .flatMap(({ role, resource }) => role.permissions.map((permission) => [permission, resource] as const));
  }

  /** Returns true when the key holds the permission for something that these resources contain. */
  may(key: ModelKey, permission: Permission, resources: readonly string[]): boolean {
    const all = [EVERYWHERE, ...resources];
    const fits = ([name, resource]: Pair) => name === permission && all.includes(resource);
    return this.held(key).some(fits) && key.ceiling.some(fits);
  }

  /** Returns true when the key holds the permission on at least one resource. */
  mayAnywhere(key: ModelKey, permission: Permission): boolean {
    const named = ([name]: Pair) => name === permission;
    const resources = [...this.held(key), ...key.ceiling].filter(named).map(([, resource]) => resource);
    return resources.some((resource) => this.may(key, permission, this.listContainers(resource)));
  }

  /** Returns a resource and the mailbox that contains it. */
  private listContainers(resource: string): string[] {
    const fax = this.received.find(({ id }) => `inbound:${id}` === resource);
    return fax ? receivedResources(fax) : [resource];
  }

  /** Status of a request about one received fax. */
  openReceived(key: ModelKey, permission: Permission, fax: ModelFax): number {
    if (!this.mayAnywhere(key, permission)) return 403;
    const resources = receivedResources(fax);
    if (this.may(key, permission, resources)) return 200;
    return SEEING.some((seeing) => this.may(key, seeing, resources)) ? 403 : 404;
  }

  /** Returns true when the key finds a sent fax in its lists, or may open its document. */
  maySent(key: ModelKey, permission: Permission, fax: ModelFax): boolean {
    const resources = fax.mailboxId === null ? [] : [`mailbox:${fax.mailboxId}`];
    if (this.may(key, permission, resources)) return true;
    const reaches = key.ceiling.some(
      ([name, resource]) => name === permission && [EVERYWHERE, ...resources].includes(resource),
    );
    return fax.by === key.owner.id && reaches && this.mayAnywhere(key, permission);
  }

  /** Status of a request about one sent fax. */
  openSent(key: ModelKey, permission: Permission, fax: ModelFax): number {
    if (!this.mayAnywhere(key, permission)) return 403;
    if (this.maySent(key, permission, fax)) return 200;
    const isOwnSent = fax.by === key.owner.id && this.maySent(key, 'fax:send', fax);
    return isOwnSent || this.maySent(key, 'fax:read', fax) ? 403 : 404;
  }
}

function receivedResources({ id, mailboxId }: ModelFax): string[] {
  return [`inbound:${id}`, ...(mailboxId === null ? [] : [`mailbox:${mailboxId}`])];
}
