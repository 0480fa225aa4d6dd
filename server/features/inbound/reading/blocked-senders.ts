import type { z } from 'zod';
import type { BlockedSender } from '../../../../shared/api/inbound-junk.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { type Caller, visibleTo } from '../../access/service.ts';
import type { InboundParts } from '../parts.ts';
import { type BlockedSenderRow, countJunkBySender, listBlocked } from '../store/blocked-store.ts';

type BlockedSenderAnswer = z.infer<typeof BlockedSender>;

/** Lists the blocked senders, the last one blocked first. */
export async function listBlockedSenders(
  parts: Pick<InboundParts, 'db' | 'contacts'>,
  caller: Caller,
): Promise<BlockedSenderAnswer[]> {
  return presentSenders(parts, caller, await listBlocked(parts.db.read, LIMITS.blockedSenders));
}

export async function presentSenders(
  { db, contacts }: Pick<InboundParts, 'db' | 'contacts'>,
  caller: Caller,
  rows: readonly BlockedSenderRow[],
): Promise<BlockedSenderAnswer[]> {
  const names = await contacts.namesOf(
    caller,
    rows.map(({ number }) => number),
  );
  const counts = await countJunkBySender(
    db.read,
    visibleTo(caller, 'inbound:list'),
    rows.map(({ number }) => number),
  );
  return rows.map(({ number, fax_id, blocked_at, blocked_by }) => ({
    number,
    contact: names.get(number) ?? null,
    blocked_at,
    blocked_by,
    fax_id,
    junk_faxes: counts.get(number) ?? 0,
  }));
}
