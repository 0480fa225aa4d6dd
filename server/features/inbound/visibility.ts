import { INSTALLATION, type Permission } from '../../../shared/permissions.ts';
import type { VisibleResources } from '../access/service.ts';
import { resourcesOf } from './changes.ts';
import { noSuchInbound, notAllowed } from './errors.ts';
import type { FaxRow, Scope } from './types.ts';

/** Who asks, as far as received faxes care. */
export interface Reader {
  readonly principalId: string;
  /** Names what may be seen together with the principal: a key may show less than its owner. */
  readonly credentialId: string;
  readonly policyVersion: number;
  holds(permission: Permission, resourceId?: string): boolean;
  visible(permission: Permission): VisibleResources;
}

const SEEING: readonly Permission[] = ['inbound:list', 'inbound:read', 'inbound:document'];

export function scopeOf(reader: Reader, permission: Permission): Scope {
  const { everything, resourceIds } = reader.visible(permission);
  const named = (prefix: string) =>
    resourceIds.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  return { everything, mailboxIds: named('mailbox:'), faxIds: named('inbound:') };
}

/** Throws 404 for a fax the reader may not know of, and 403 for one they may see without being allowed this. */
export function assertMay(reader: Reader, permission: Permission, row: FaxRow | undefined): FaxRow {
  if (!row) throw noSuchInbound();
  const places = [INSTALLATION, ...resourcesOf(row)];
  const may = (wanted: Permission) => places.some((place) => reader.holds(wanted, place));
  if (may(permission)) return row;
  throw SEEING.some(may) ? notAllowed() : noSuchInbound();
}
