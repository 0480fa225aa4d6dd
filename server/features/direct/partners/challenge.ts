import { isoTime } from '../../../platform/clock.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { partnerRemoved } from '../errors.ts';
import { type OwnCard, readOwnCard } from '../own-card.ts';
import type { PartnerRow } from '../types.ts';
import { codePageOf } from './code-page.ts';
import { codeHmac, codeOf } from './codes.ts';
import { changePartner, type PartnerRead, requirePartner } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';
import { CODE_MS, codeStateOf } from './standing.ts';

const FILE_NAME = 'Partner code.pdf';

/** Recorded challenge, with the columns of the code that it replaced; null when an interrupted challenge is resumed. */
interface Challenge {
  readonly row: PartnerRow & { readonly code_id: string; readonly code_expires_at: string };
  readonly replaced: CodeColumns | null;
}
type CodeColumns = Pick<
  PartnerRow,
  'code_id' | 'code_hmac' | 'code_sent_at' | 'code_expires_at' | 'code_tries' | 'code_fax_id'
>;

/**
 * Faxes a new code to the number of a partner. The code is recorded before it is faxed, so that every faxed code can be
 * confirmed. A challenge that was interrupted before its fax is resumed with the same code and sends at most one fax. When
 * the fax is refused, the code before stays valid. Throws the refusals of sending, 404, and 409 for a stale version or a
 * removed partner.
 */
export async function challengePartner(
  parts: PartnerParts,
  caller: Caller,
  read: PartnerRead & { readonly mailbox: string | null },
): Promise<PartnerRow> {
  const own = await readOwnCard(parts);
  const challenge = await recordChallenge(parts, read);
  try {
    const faxId = await faxCode(parts, caller, { own, row: challenge.row, mailbox: read.mailbox });
    return await recordFax(parts, caller, challenge.row, faxId);
  } catch (error) {
    if (error instanceof RefusalError && error.status < 500) await restoreCode(parts, challenge);
    throw error;
  }
}

async function recordChallenge(parts: PartnerParts, read: PartnerRead): Promise<Challenge> {
  return parts.db.transaction(async (tx) => {
    const before = await requirePartner(parts, tx, read);
    if (before.revoked_at !== null) throw partnerRemoved();
    const now = parts.clock.now();
    if (codeStateOf(before, isoTime(now)) === 'not_sent' && hasChallenge(before))
      return { row: before, replaced: null };
    const code_id = newId();
    const change = {
      code_id,
      code_hmac: codeHmac(parts, before.id, codeOf(parts, code_id)),
      code_sent_at: isoTime(now),
      code_expires_at: isoTime(now + CODE_MS),
      code_tries: 0,
      code_fax_id: null,
    };
    // Recorded in the security audit once its fax is accepted.
    const row = await changePartner(parts, tx, before, change, null);
    return { row: { ...row, ...change }, replaced: codeColumnsOf(before) };
  });
}

function hasChallenge(row: PartnerRow): row is Challenge['row'] {
  return row.code_id !== null && row.code_expires_at !== null;
}

/** Sends the fax with the code, or finds the one that an interrupted challenge sent. Returns its ID. */
async function faxCode(
  parts: PartnerParts,
  caller: Caller,
  { own, row, mailbox }: { own: OwnCard; row: Challenge['row']; mailbox: string | null },
): Promise<string> {
  const idempotencyKey = `partner-code-${row.code_id}`;
  const earlier = await parts.outbound.codeFaxOf(caller, idempotencyKey);
  if (earlier !== null) return earlier;
  const { job } = await parts.outbound.sendCode(caller, {
    to: row.fax_number,
    mailbox,
    fileName: FILE_NAME,
    idempotencyKey,
    page: codePageOf({
      from: own.card,
      to: row.fax_number,
      code: codeOf(parts, row.code_id),
      expiresAt: row.code_expires_at,
      locality: parts.settings.locality(),
    }),
  });
  return job.id;
}

async function recordFax(
  parts: PartnerParts,
  caller: Caller,
  { id, code_id }: Challenge['row'],
  faxId: string,
): Promise<PartnerRow> {
  return parts.db.transaction(async (tx) => {
    const before = await requirePartner(parts, tx, { id, version: null });
    // The partner was removed or got another card while the fax was accepted, so the faxed code is void.
    if (before.code_id !== code_id) return before;
    return changePartner(
      parts,
      tx,
      before,
      { code_fax_id: faxId },
      { actor: actorOf(caller), operation: 'partner.challenge', details: { fax_id: faxId } },
    );
  });
}

/** Restores the code before a challenge whose fax was refused. */
async function restoreCode(parts: PartnerParts, { row, replaced }: Challenge): Promise<void> {
  if (replaced === null) return;
  await parts.db.transaction(async (tx) => {
    const before = await requirePartner(parts, tx, { id: row.id, version: null });
    if (before.code_id === row.code_id && before.code_fax_id === null)
      await changePartner(parts, tx, before, replaced, null);
  });
}

function codeColumnsOf(row: PartnerRow): CodeColumns {
  const { code_id, code_hmac, code_sent_at, code_expires_at, code_tries, code_fax_id } = row;
  return { code_id, code_hmac, code_sent_at, code_expires_at, code_tries, code_fax_id };
}
