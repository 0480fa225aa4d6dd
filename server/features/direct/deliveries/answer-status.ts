import { isoTime } from '../../../platform/clock.ts';
import { badSignature, notTaken, unknownSender } from '../errors.ts';
import { keysFor } from '../own-keys.ts';
import { findDelivery, insertDelivery } from '../store/delivery-store.ts';
import { findSender } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import { assertRequestSigned, requestSender } from '../wire/request-signature.ts';
import { type Signed, signStatement } from '../wire/statement.ts';
import { WireError } from '../wire/wire-error.ts';
import { tooBusy } from './errors.ts';
import type { ReceivingParts } from './parts.ts';
import { receiptOf } from './receipt.ts';
import { fence } from './receive-document.ts';

/** A partner's question whether a document arrived. */
export interface StatusRequest {
  readonly messageId: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * Answers whether a document arrived: with its receipt, or that it did not. That is recorded first, as a fence: from then
 * on no document with the id is taken. Throws 403 refusals, and 503 while an upload of it goes on for long.
 */
export async function answerStatus(parts: ReceivingParts, request: StatusRequest): Promise<Signed> {
  const { messageId } = request;
  const { partner, key } = await identify(parts, request);
  if (!(await parts.underWay.waitFor(messageId))) throw tooBusy();
  const at = isoTime(parts.clock.now());
  const row = await parts.db.transaction(async (tx) => {
    const fenced = fence(messageId, partner, at);
    if (await insertDelivery(tx, fenced)) return fenced;
    const known = await findDelivery(tx, messageId, 'received');
    if (!known) throw new Error(`the delivery ${messageId} is neither new nor known`);
    return known;
  });
  const keys = await keysFor(parts, partner);
  const head = {
    direct: 1,
    type: 'status',
    from: keys.signingKey,
    to: key,
    time: at,
    message_id: messageId,
  } as const;
  const receipt = row.partner_id === partner.id ? receiptOf(row) : null;
  return signStatement(
    receipt === null ? { ...head, state: 'not_received' } : { ...head, state: 'accepted', receipt },
    keys.signing,
  );
}

async function identify(
  { db, clock }: ReceivingParts,
  { messageId, headers }: StatusRequest,
): Promise<{ partner: PartnerRow; key: string }> {
  const key = requestSender(headers);
  const partner = key === null ? undefined : await findSender(db.read, key, isoTime(clock.now()));
  if (key === null || !partner || partner.revoked_at !== null) throw unknownSender();
  try {
    assertRequestSigned({ method: 'GET', path: `/direct/deliveries/${messageId}` }, headers, clock.now());
  } catch (error) {
    throw error instanceof WireError && error.fault === 'stale' ? notTaken(error.message) : badSignature();
  }
  return { partner, key };
}
