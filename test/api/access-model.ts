import type { Permission } from '../../shared/permissions.ts';
import type { Item } from '../setup/access-office.ts';

export const SEEING: readonly Permission[] = ['inbound:list', 'inbound:read', 'inbound:document'];
export const MODELLED: readonly Permission[] = [...SEEING, 'fax:read', 'fax:document', 'fax:send'];
export const EVERYWHERE = 'installation';

type Changing<T> = { -readonly [K in keyof T]: T[K] };

export interface Switched extends Changing<Item> {
  enabled: boolean;
}

export interface ModelGroup extends Switched {
  /** Memberships by the person's id. */
  readonly members: Map<string, Item>;
}

export interface ModelRole extends Switched {
  permissions: readonly Permission[];
}

export interface ModelAssignment extends Item {
  readonly subject: string;
  readonly role: ModelRole;
  readonly place: string;
}

/** A permission at a place. */
export type Pair = readonly [Permission, string];

export interface ModelKey {
  readonly keyId: string;
  readonly token: string;
  readonly owner: Switched;
  version: number;
  ceiling: readonly Pair[];
  isRevoked: boolean;
  expiresMs: number;
}

export interface ModelFax {
  readonly id: string;
  readonly mailboxId: string | null;
  /** Of sent faxes: who sent it. */
  readonly by: string;
}

/** Who may do what, told as simply as it can be: no query, no cache, no order of questions. */
export class AccessModel {
  nowMs = 0;
  readonly people: Switched[] = [];
  readonly groups: ModelGroup[] = [];
  readonly roles: ModelRole[] = [];
  readonly mailboxes: Switched[] = [];
  readonly assignments: ModelAssignment[] = [];
  readonly keys: ModelKey[] = [];
  /** Number rules by number. */
  readonly rules = new Map<string, { item: Item; mailboxId: string }>();
  readonly received: ModelFax[] = [];
  readonly sent: ModelFax[] = [];

  /** Where faxes to a number go now. */
  filedIn(number: string): string | null {
    const rule = this.rules.get(number);
    const mailbox = this.mailboxes.find(({ id }) => id === rule?.mailboxId);
    return mailbox?.enabled ? mailbox.id : null;
  }

  isAlive(key: ModelKey): boolean {
    return key.owner.enabled && !key.isRevoked && this.nowMs < key.expiresMs;
  }

  /** What the owner of a key holds now, each permission where it was given. */
  held({ owner }: ModelKey): Pair[] {
    if (!owner.enabled) return [];
    const groups = this.groups.filter(({ enabled, members }) => enabled && members.has(owner.id));
    const subjects = [owner, ...groups].map(({ id }) => id);
    return this.assignments
      .filter(({ subject, role }) => subjects.includes(subject) && role.enabled)
      .flatMap(({ role, place }) => role.permissions.map((permission) => [permission, place] as const));
  }

  /** Whether a key opens this for what lies in all of these places. */
  may(key: ModelKey, permission: Permission, places: readonly string[]): boolean {
    const all = [EVERYWHERE, ...places];
    const fits = ([name, place]: Pair) => name === permission && all.includes(place);
    return this.held(key).some(fits) && key.ceiling.some(fits);
  }

  /** Whether there is a place where a key opens this. */
  mayAnywhere(key: ModelKey, permission: Permission): boolean {
    const named = ([name]: Pair) => name === permission;
    const places = [...this.held(key), ...key.ceiling].filter(named).map(([, place]) => place);
    return places.some((place) => this.may(key, permission, this.around(place)));
  }

  /** A place and the one it lies in. */
  private around(place: string): string[] {
    const fax = this.received.find(({ id }) => `inbound:${id}` === place);
    return fax ? receivedPlaces(fax) : [place];
  }

  /** Status of a request about one received fax. */
  openReceived(key: ModelKey, permission: Permission, fax: ModelFax): number {
    if (!this.mayAnywhere(key, permission)) return 403;
    const places = receivedPlaces(fax);
    if (this.may(key, permission, places)) return 200;
    return SEEING.some((seeing) => this.may(key, seeing, places)) ? 403 : 404;
  }

  /** Whether a sent fax is in the lists of a key, or its document opens. */
  maySent(key: ModelKey, permission: Permission, fax: ModelFax): boolean {
    if (fax.by === key.owner.id && this.mayAnywhere(key, permission)) return true;
    return this.may(key, permission, fax.mailboxId === null ? [] : [`mailbox:${fax.mailboxId}`]);
  }

  /** Status of a request about one sent fax. */
  openSent(key: ModelKey, permission: Permission, fax: ModelFax): number {
    if (!this.mayAnywhere(key, permission)) return 403;
    if (this.maySent(key, permission, fax)) return 200;
    const isOwnSent = fax.by === key.owner.id && this.mayAnywhere(key, 'fax:send');
    return isOwnSent || this.maySent(key, 'fax:read', fax) ? 403 : 404;
  }
}

function receivedPlaces({ id, mailboxId }: ModelFax): string[] {
  return [`inbound:${id}`, ...(mailboxId === null ? [] : [`mailbox:${mailboxId}`])];
}
