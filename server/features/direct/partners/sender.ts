import { isoTime } from '../../../platform/clock.ts';
import { badSignature, notTaken, unknownSender } from '../errors.ts';
import type { OwnKeys } from '../identity.ts';
import { assertEnabled } from '../own-card.ts';
import { findSender } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import { assertFresh, assertSigned, type Signed } from '../wire/statement.ts';
import { WireError } from '../wire/wire-error.ts';
import type { PartnerParts } from './parts.ts';
import { STATEMENT_AGE_MS } from './requests.ts';

/**
 * Finds the partner who sent a statement, and the own keys that it names, and verifies signature, addressee and time. The partner is
 * looked up first, so that a stranger costs no more than that. Throws 403 refusals.
 */
export async function assertSender(
  parts: Pick<PartnerParts, 'db' | 'clock' | 'identity' | 'settings'>,
  signed: Signed,
): Promise<{ row: PartnerRow; keys: OwnKeys }> {
  assertEnabled(parts.settings);
  const { from, to, time } = signed.statement;
  const now = parts.clock.now();
  const row = await findSender(parts.db.read, from, isoTime(now));
  if (!row || row.revoked_at !== null) throw unknownSender();
  const keys = await parts.identity.find(to);
  if (keys === null) throw notTaken('It is for another installation.');
  try {
    assertSigned(signed);
    assertFresh(time, now, STATEMENT_AGE_MS);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw error.fault === 'stale' ? notTaken(error.message) : badSignature();
  }
  return { row, keys };
}
