import type { Permission } from '../../../shared/permissions.ts';
import type { VisibleResources } from '../access/service.ts';
import { noSuchFax, notAllowed } from './errors.ts';
import type { JobRow, Scope } from './types.ts';

/** Who asks, as far as sent faxes care. */
export interface Reader {
  readonly principalId: string;
  holds(permission: Permission, resourceId?: string): boolean;
  holdsAnywhere(permission: Permission): boolean;
  visible(permission: Permission): VisibleResources;
}

const MAILBOX = 'mailbox:';

/** The ids of the mailboxes among some resources. */
export function mailboxIdsOf(resourceIds: readonly string[]): string[] {
  return resourceIds.filter((id) => id.startsWith(MAILBOX)).map((id) => id.slice(MAILBOX.length));
}

/** The resource on which what concerns a mailbox is granted. */
export const resourceOf = (mailboxId: string): string => `${MAILBOX}${mailboxId}`;

/** Who may know of a fax beside those who see all of them: its sender, and who may read in these resources. */
export function knownTo(job: Pick<JobRow, 'created_by' | 'mailbox_id'>): {
  owner: string;
  resources: readonly string[];
} {
  return {
    owner: job.created_by,
    resources: job.mailbox_id === null ? [] : [resourceOf(job.mailbox_id)],
  };
}

/** What a reader sees in lists; null is everything. */
export function scopeOf(reader: Reader): Scope | null {
  const { everything, resourceIds } = reader.visible('fax:read');
  return everything ? null : { personId: reader.principalId, mailboxIds: mailboxIdsOf(resourceIds) };
}

/** Throws 404 for a fax the reader may not know of, and 403 for one they may see without being allowed this. */
export function assertMay(reader: Reader, permission: Permission, job: JobRow | undefined): JobRow {
  if (!job) throw noSuchFax();
  if (may(reader, permission, job)) return job;
  const isSeen = may(reader, 'fax:read', job) || (isOwn(reader, job) && reader.holdsAnywhere('fax:send'));
  throw isSeen ? notAllowed() : noSuchFax();
}

const isOwn = (reader: Reader, job: JobRow) => job.created_by === reader.principalId;

/** On everything, on the mailbox of the fax, or anywhere for one's own. */
function may(reader: Reader, permission: Permission, job: JobRow): boolean {
  if (reader.holds(permission)) return true;
  if (isOwn(reader, job) && reader.holdsAnywhere(permission)) return true;
  return job.mailbox_id !== null && reader.holds(permission, resourceOf(job.mailbox_id));
}
