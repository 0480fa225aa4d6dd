import type { DirectCardOutcome } from '../../../../shared/states/direct.ts';
import { isUniqueViolation, type WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { addressRefused, cardRefused, ownCardGiven, tooManyPartners } from '../errors.ts';
import { readOwnCard } from '../own-card.ts';
import { targetOf } from '../peer-target.ts';
import { countPartners, findPartnerByKey, insertPartner, lockPartner } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import { canonicalJson } from '../wire/canonical-json.ts';
import { type Card, parseCard } from '../wire/card.ts';
import { WireError } from '../wire/wire-error.ts';
import { changePartner, settlePartner } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';

const MAX_PARTNERS = 500;
const TOO_MANY = `There can be ${MAX_PARTNERS} partners, removed ones included.`;
const OWN = {
  card: 'This is the card of your own installation. Ask the partner for theirs.',
  number: 'The fax number on this card is your own. Ask the partner for a card with theirs.',
} as const;

const NO_CODE = {
  code_id: null,
  code_hmac: null,
  code_sent_at: null,
  code_expires_at: null,
  code_tries: 0,
  code_fax_id: null,
} as const;
const NO_CHECK = {
  number_confirmed_at: null,
  expires_at: null,
  notice_30_for: null,
  notice_7_for: null,
} as const;
/** Values of a partner with whom nothing was exchanged yet. */
const NEW = {
  ...NO_CODE,
  ...NO_CHECK,
  previous_signing_key: null,
  previous_exchange_key: null,
  previous_until: null,
  told_signing_key: null,
  confirmed_by_them_at: null,
  confirmed_by_them_until: null,
  revoked_at: null,
  revoked_by_them: 0,
  last_exchange_at: null,
} as const;

/**
 * Adds the partner of a pasted card, or replaces the card of one that is there. Throws refusals for what is no card (400), the
 * own card and an address that is not allowed (409).
 */
export async function addPartner(
  parts: PartnerParts,
  caller: Caller,
  { pasted, checkOnly }: { readonly pasted: string; readonly checkOnly: boolean },
): Promise<{ card: Card; row: PartnerRow | null; as: DirectCardOutcome }> {
  const card = await checkedCard(parts, pasted);
  if (checkOnly) return { card, row: null, as: 'checked' };
  const add = () => parts.db.transaction((tx) => putCard(parts, tx, caller, card));
  try {
    return { card, ...(await add()) };
  } catch (error) {
    // Another gateway added the same card just now.
    if (isUniqueViolation(error)) return { card, ...(await add()) };
    throw error;
  }
}

/** Parses the card and checks it as far as that needs no transaction. Throws refusals. */
async function checkedCard(parts: PartnerParts, pasted: string): Promise<Card> {
  const own = await readOwnCard(parts);
  const card = parsedCard(pasted);
  const isOwn = (await parts.identity.find(card.signing_key)) !== null;
  if (isOwn) throw ownCardGiven(OWN.card);
  if (card.fax_number === own.card.fax_number) throw ownCardGiven(OWN.number);
  const problem = await parts.peers.findAddressProblem(targetOf(parts, card));
  if (problem !== null) throw addressRefused(problem);
  return card;
}

function parsedCard(pasted: string): Card {
  try {
    return parseCard(pasted);
  } catch (error) {
    throw error instanceof WireError ? cardRefused(error.message) : error;
  }
}

async function putCard(
  parts: PartnerParts,
  tx: WriteTx,
  caller: Caller,
  card: Card,
): Promise<{ row: PartnerRow; as: DirectCardOutcome }> {
  const found = await findPartnerByKey(tx, card.signing_key);
  const before = found && (await lockPartner(tx, parts.db.capabilities, found.id));
  const actor = actorOf(caller);
  if (!before) {
    if ((await countPartners(tx)) >= MAX_PARTNERS) throw tooManyPartners(TOO_MANY);
    const at = isoTime(parts.clock.now());
    const row = { id: newId(), ...NEW, ...cardColumns(card), version: 1, created_at: at, updated_at: at };
    await insertPartner(tx, row);
    await settlePartner(parts, tx, row, { actor, operation: 'partner.add' });
    return { row, as: 'added' };
  }
  if (before.revoked_at !== null) {
    const again = { ...NEW, ...cardColumns(card), created_at: isoTime(parts.clock.now()) };
    const row = await changePartner(parts, tx, before, again, { actor, operation: 'partner.add' });
    return { row, as: 'added' };
  }
  if (before.card === canonicalJson(card)) return { row: before, as: 'unchanged' };
  const row = await changePartner(parts, tx, before, cardChange(before, card), {
    actor,
    operation: 'partner.change_card',
  });
  return { row, as: 'renewed' };
}

/** Returns the columns that a newer card changes. A check of another number counts no longer, nor does its code. */
export function cardChange(before: PartnerRow, card: Card) {
  const ofNumber = card.fax_number === before.fax_number ? {} : { ...NO_CODE, ...NO_CHECK };
  return { ...cardColumns(card), ...ofNumber };
}

function cardColumns(card: Card) {
  const { organization, fax_number, endpoint, signing_key, exchange_key } = card;
  return { organization, fax_number, endpoint, signing_key, exchange_key, card: canonicalJson(card) };
}
