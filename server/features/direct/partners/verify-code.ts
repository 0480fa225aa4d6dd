import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { equalInConstantTime } from '../../../platform/hash.ts';
import type { OwnKeys } from '../identity.ts';
import type { PartnerRow } from '../types.ts';
import {
  type CodeRefusal,
  parseSigned,
  type Signed,
  type StatementOf,
  signStatement,
} from '../wire/statement.ts';
import { codeHmac } from './codes.ts';
import { changePartner, partnerActor, requirePartner } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';
import { headOf } from './requests.ts';
import { assertSender } from './sender.ts';
import { CHECK_MS, CODE_TRIES, codeStateOf } from './standing.ts';

type VerificationAnswer = Signed<StatementOf<'verified'> | StatementOf<'refused'>>;

/**
 * Checks a code that a partner returns. The first right one confirms its number for a year; repeated, it gets the same answer
 * and changes nothing. Returns the signed answer. Throws refusals without a signature for who is no partner.
 */
export async function verifyCode(parts: PartnerParts, body: Uint8Array): Promise<VerificationAnswer> {
  const signed = parseSigned(body, ['verification']);
  const { row, keys } = await assertSender(parts, signed);
  const { statement } = signed;
  const given = codeHmac(parts, row.id, statement.code);
  const outcome = await parts.db.transaction((tx) => checkCode(parts, tx, { id: row.id, given, keys }));
  const between = { from: keys.signingKey, to: statement.from };
  if ('expiresAt' in outcome)
    return signStatement(
      { ...headOf(parts, 'verified', between), expires_at: outcome.expiresAt },
      keys.signing,
    );
  const { reason, triesLeft } = outcome;
  return signStatement({ ...headOf(parts, 'refused', between), reason, tries_left: triesLeft }, keys.signing);
}

type CodeOutcome =
  | { readonly expiresAt: string }
  | { readonly reason: CodeRefusal; readonly triesLeft: number };

async function checkCode(
  parts: PartnerParts,
  tx: WriteTx,
  { id, given, keys }: { readonly id: string; readonly given: string; readonly keys: OwnKeys },
): Promise<CodeOutcome> {
  const before = await requirePartner(parts, tx, { id, version: null });
  const at = isoTime(parts.clock.now());
  const { code_hmac, code_expires_at, code_tries } = before;
  if (code_hmac === null || code_expires_at === null || before.revoked_at !== null)
    return { reason: 'closed', triesLeft: 0 };
  if (code_tries >= CODE_TRIES) return { reason: 'closed', triesLeft: 0 };
  if (code_expires_at <= at) return { reason: 'expired', triesLeft: 0 };
  if (!equalInConstantTime(given, code_hmac)) return recordWrongCode(parts, tx, before);
  if (codeStateOf(before, at) === 'used' && before.expires_at !== null)
    return { expiresAt: before.expires_at };
  const expiresAt = isoTime(parts.clock.now() + CHECK_MS);
  const checked = {
    number_confirmed_at: at,
    expires_at: expiresAt,
    notice_30_for: null,
    notice_7_for: null,
    told_signing_key: keys.signingKey,
    last_exchange_at: at,
  };
  await changePartner(parts, tx, before, checked, {
    actor: partnerActor(before),
    operation: 'partner.verified',
    details: { expires_at: expiresAt },
  });
  return { expiresAt };
}

async function recordWrongCode(parts: PartnerParts, tx: WriteTx, before: PartnerRow): Promise<CodeOutcome> {
  const code_tries = before.code_tries + 1;
  const isClosed = code_tries >= CODE_TRIES;
  const closing = { actor: partnerActor(before), operation: 'partner.close_code' } as const;
  await changePartner(parts, tx, before, { code_tries }, isClosed ? closing : null);
  return { reason: 'wrong_code', triesLeft: CODE_TRIES - code_tries };
}
