import { isoTime } from '../../../platform/clock.ts';
import type { Caller } from '../../access/service.ts';
import { notifyConsoles } from '../changes.ts';
import type { InboundParts } from '../parts.ts';
import { ANYBODY, listReaders, markRead, markUnread } from '../store/read-store.ts';
import type { FaxRow } from '../types.ts';

/** Returns the id whose read mark counts for this caller: their own, or the one that all share. */
export function readerFor({ settings }: Pick<InboundParts, 'settings'>, caller: Caller): string {
  return settings.sharesReading() ? ANYBODY : caller.principal.id;
}

/**
 * Marks a fax as read by the caller, or as unread again. Both kinds of marks are always kept, so that the setting can
 * be changed at any time. Where reading is shared, unread applies to everyone; the marks of its readers stay, except
 * the caller's.
 */
export async function setRead(
  parts: Pick<InboundParts, 'db' | 'clock' | 'settings' | 'unreadIndex' | 'events'>,
  caller: Caller,
  row: FaxRow,
  read: boolean,
): Promise<void> {
  const { db, clock, settings, unreadIndex } = parts;
  const { id, displayName: name } = caller.principal;
  const own = { principalId: id, name, faxId: row.id, at: isoTime(clock.now()) };
  const anybody = { ...own, principalId: ANYBODY };
  const changed = await db.transaction(async (tx) => {
    const marks = read
      ? [await markRead(tx, own), await markRead(tx, anybody)]
      : [await markUnread(tx, own), (await isUnreadForAll()) && (await markUnread(tx, anybody))];
    return marks.some((isChanged) => isChanged);

    async function isUnreadForAll(): Promise<boolean> {
      return settings.sharesReading() || (await listReaders(tx, row.id)).length === 0;
    }
  });
  if (!changed) return;
  if (!read) unreadIndex.forget(settings.sharesReading() ? null : id);
  notifyConsoles(parts, row);
}
