import { isoTime } from '../../../platform/clock.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { codeRefused, noSuchPartner, partnerRemoved, partnerUnreachable } from '../errors.ts';
import { readOwnCard } from '../own-card.ts';
import { keysFor } from '../own-keys.ts';
import { findPartner } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import type { CodeRefusal } from '../wire/statement.ts';
import { typedCode } from './codes.ts';
import { changePartner, requirePartner } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';
import { headOf, type PartnerAnswer, postStatement } from './requests.ts';
import { CHECK_MS } from './standing.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Returns a code that the partner faxed to us to the partner, signed, and records that it checked our number. Repeating it after a
 * lost answer settles it. Throws refusals: 400 and 409 for a code that cannot be confirmed, 503 when there is no answer.
 */
export async function confirmCode(
  parts: PartnerParts,
  caller: Caller,
  { id, code }: { readonly id: string; readonly code: string },
): Promise<PartnerRow> {
  await readOwnCard(parts);
  const row = await findPartner(parts.db.read, id);
  if (!row) throw noSuchPartner();
  if (row.revoked_at !== null) throw partnerRemoved();
  const digits = typedCode(code);
  if (digits === null)
    throw codeRefused('A code has digits only. Compare it with the fax and type it again.');
  const keys = await keysFor(parts, row);
  const answer = await postStatement(parts, row, {
    path: '/direct/verifications',
    statement: {
      ...headOf(parts, 'verification', { from: keys.signingKey, to: row.signing_key }),
      code: digits,
    },
    keys,
    answers: ['verified', 'refused'],
  });
  const verifiedUntil = verifiedUntilOf(row, answer);
  return parts.db.transaction(async (tx) => {
    const before = await requirePartner(parts, tx, { id, version: null });
    // Removed, or of another installation by a new card, while the partner answered.
    if (before.revoked_at !== null) throw partnerRemoved();
    const now = parts.clock.now();
    const at = isoTime(now);
    return changePartner(
      parts,
      tx,
      before,
      {
        confirmed_by_them_at: at,
        // Their clock does not make it last longer than a year here.
        confirmed_by_them_until: earlier(verifiedUntil, isoTime(now + CHECK_MS + DAY_MS)),
        told_signing_key: keys.signingKey,
        last_exchange_at: at,
      },
      { actor: actorOf(caller), operation: 'partner.confirm' },
    );
  });
}

const earlier = (a: string, b: string) => (a < b ? a : b);

/** Returns the end of the check of our number, as the partner states it. Throws a refusal for any other answer. */
function verifiedUntilOf(
  { organization }: PartnerRow,
  answer: PartnerAnswer<'verified' | 'refused'>,
): string {
  if ('sentence' in answer)
    throw partnerUnreachable(`${answer.sentence} The code was not confirmed. Try again later.`);
  if (answer.kind === 'unsigned') throw unsignedRefusal(organization, answer.status);
  const { statement } = answer;
  if (statement.type === 'verified') return isoTime(Date.parse(statement.expires_at));
  if ('tries_left' in statement) throw codeRefused(REFUSALS[statement.reason](statement.tries_left));
  throw partnerUnreachable(`${organization} sent an answer that does not belong to a code. Try again later.`);
}

const REFUSALS: Readonly<Record<CodeRefusal, (triesLeft: number) => string>> = {
  wrong_code: (left) =>
    left > 0
      ? `This code is wrong. Compare it with the fax and type it again. Tries left: ${left}.`
      : 'This code is wrong, and it was the last try. Ask the partner to fax a new code.',
  closed: () => 'There is no open code for you at the partner. Ask them to fax a new code.',
  expired: () => 'This code has expired. Ask the partner to fax a new code.',
};

function unsignedRefusal(organization: string, status: number) {
  if (status === 404)
    return partnerUnreachable(
      `Direct delivery is off at ${organization}, or its address has changed. Ask them, then try again.`,
    );
  if (status === 403)
    return codeRefused(
      `${organization} does not accept statements from this installation. Ask them to add your card, and check the clocks of both computers.`,
    );
  return partnerUnreachable(
    `${organization} did not answer with the keys of its card. Try again later, or ask them for a new card.`,
  );
}
