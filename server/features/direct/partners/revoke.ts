import { isoTime } from '../../../platform/clock.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { assertEnabled } from '../own-card.ts';
import type { PartnerRow } from '../types.ts';
import { changePartner, type PartnerRead, requirePartner } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';
import { planTelling } from './tell-partners.ts';

/**
 * Removes a partner: nothing goes to it or comes from it directly any more. It is told once, if it can be reached. Throws
 * 404, and 409 for one that changed since that version.
 */
export async function revokePartner(
  parts: PartnerParts,
  caller: Caller,
  read: PartnerRead,
): Promise<PartnerRow> {
  assertEnabled(parts.settings);
  return parts.db.transaction(async (tx) => {
    const before = await requirePartner(parts, tx, read);
    if (before.revoked_at !== null) return before;
    const change = { revoked_at: isoTime(parts.clock.now()), revoked_by_them: 0 as const };
    const row = await changePartner(parts, tx, before, change, {
      actor: actorOf(caller),
      operation: 'partner.revoke',
    });
    await planTelling(parts, tx, { partner_id: row.id, what: 'revoked' });
    return row;
  });
}
