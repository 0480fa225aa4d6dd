import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { notTaken } from '../errors.ts';
import { findPartnerByKey } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import { assertCardSigned, type Card } from '../wire/card.ts';
import { parseSigned } from '../wire/statement.ts';
import { WireError } from '../wire/wire-error.ts';
import { cardChange } from './add-partner.ts';
import { changePartner, partnerActor, requirePartner } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';
import { assertSender } from './sender.ts';

const DAY_MS = 24 * 3_600_000;
/** Time for which a partner's former keys are accepted. */
const FORMER_KEYS_MS = 30 * DAY_MS;

/** Takes a statement of a partner about its keys or the end of the partnership. Repeated, it changes nothing. Throws 403 refusals. */
export async function takeStatement(parts: PartnerParts, body: Uint8Array): Promise<void> {
  const signed = parseSigned(body, ['key_change', 'revoked']);
  const { statement } = signed;
  const { row } = await assertSender(parts, signed);
  if (statement.type === 'key_change') await assertNewCard(parts, statement.card);
  await parts.db.transaction(async (tx) => {
    const before = await requirePartner(parts, tx, { id: row.id, version: null });
    if (before.revoked_at !== null) return;
    if (statement.type === 'key_change')
      await changeKeys(parts, tx, before, { from: statement.from, card: statement.card });
    else await endPartnership(parts, tx, before, statement.time);
  });
}

/** Replaces keys and card together; the former keys stay valid for what is under way. */
async function changeKeys(
  parts: PartnerParts,
  tx: WriteTx,
  before: PartnerRow,
  { from, card }: { readonly from: string; readonly card: Card },
): Promise<void> {
  if (card.signing_key === before.signing_key) return;
  // A former key may finish what is under way, and nothing more.
  if (from !== before.signing_key) throw notTaken('It is signed with keys that were replaced.');
  if (await findPartnerByKey(tx, card.signing_key)) throw otherKeys();
  const now = parts.clock.now();
  const change = {
    ...cardChange(before, card),
    previous_signing_key: before.signing_key,
    previous_exchange_key: before.exchange_key,
    previous_until: isoTime(now + FORMER_KEYS_MS),
    last_exchange_at: isoTime(now),
  };
  await changePartner(parts, tx, before, change, {
    actor: partnerActor(before),
    operation: 'partner.change_keys',
  });
}

async function assertNewCard({ identity }: PartnerParts, card: Card): Promise<void> {
  try {
    assertCardSigned(card);
  } catch (error) {
    throw error instanceof WireError ? notTaken(error.message) : error;
  }
  if ((await identity.find(card.signing_key)) !== null) throw otherKeys();
}

const otherKeys = () => notTaken('Its new keys are those of another installation.');

/** A statement from before the partner was added again is about the partnership before. */
async function endPartnership(
  parts: PartnerParts,
  tx: WriteTx,
  before: PartnerRow,
  time: string,
): Promise<void> {
  if (Date.parse(time) < Date.parse(before.created_at)) return;
  const at = isoTime(parts.clock.now());
  const change = { revoked_at: at, revoked_by_them: 1 as const, last_exchange_at: at };
  await changePartner(parts, tx, before, change, {
    actor: partnerActor(before),
    operation: 'partner.revoked',
  });
}
