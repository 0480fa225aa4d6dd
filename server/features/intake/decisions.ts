import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { MailConfirmOutcome } from '../../../shared/states/intake.ts';
import type { WriteTx } from '../../db/database.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { change } from './change.ts';
import { sendNow } from './deliver-queue.ts';
import { deliveryCertain, noSuchDelivery, notRetried, stale } from './errors.ts';
import type { IntakeParts } from './parts.ts';
import { findItem } from './store/item-store.ts';
import { recipientsOf } from './store/recipient-store.ts';
import type { ItemRow, RecipientFact } from './types.ts';

const NOT_RETRIED = {
  sending: 'The e-mail is being sent now.',
  delivered: 'The e-mail was delivered. It is not sent a second time.',
  uncertain: 'The e-mail may have arrived. First confirm whether it did.',
} as const;

/** Sends a failed e-mail again, and a waiting one now. Throws 404, and 409 for every other. */
export async function retry(parts: IntakeParts, caller: Caller, id: string): Promise<ItemRow> {
  return parts.db.transaction(async (tx) => {
    const item = await getItem(tx, id);
    if (item.state !== 'failed' && item.state !== 'received') throw notRetried(NOT_RETRIED[item.state]);
    const changed = await sendAgain(parts, tx, item);
    await recordDecision(parts, tx, caller, { operation: 'delivery.retry', id });
    return changed;
  });
}

/** Decision of a person about an e-mail, with the version they saw. */
export interface Confirmation {
  readonly id: string;
  readonly version: number;
  readonly outcome: MailConfirmOutcome;
}

/**
 * Records a person's decision about an uncertain e-mail. Throws 404, and 409 when the e-mail is not uncertain or
 * changed since they saw it.
 */
export async function confirm(
  parts: IntakeParts,
  caller: Caller,
  { id, version, outcome }: Confirmation,
): Promise<ItemRow> {
  return parts.db.transaction(async (tx) => {
    const item = await getItem(tx, id);
    if (item.state !== 'uncertain') throw deliveryCertain();
    if (item.version !== version) throw stale();
    const known = await recipientsOf(tx, [id]);
    const uncertainAddresses = known
      .filter(({ state }) => state === 'uncertain')
      .map(({ address }) => address);
    const isOpen = outcome === 'not_arrived' || known.some(({ state }) => state === 'refused');
    const facts = uncertainAddresses.map((address) => factOf(address, outcome, caller));
    await recordDecision(parts, tx, caller, { operation: 'delivery.confirm', id, details: { outcome } });
    if (isOpen) return sendAgain(parts, tx, item, facts);
    return change(parts, tx, item, { state: 'delivered', problem: null, retry_at: null }, facts);
  });
}

function factOf(address: string, outcome: MailConfirmOutcome, caller: Caller): RecipientFact {
  return outcome === 'arrived'
    ? { address, state: 'delivered', sentence: `${actorOf(caller).name} confirmed that it arrived.` }
    : { address, state: 'waiting', sentence: null };
}

async function sendAgain(
  parts: IntakeParts,
  tx: WriteTx,
  item: ItemRow,
  facts: readonly RecipientFact[] = [],
): Promise<ItemRow> {
  const begun = { state: 'received', failures: 0, retry_at: null, problem: null } as const;
  const changed = await change(parts, tx, item, begun, facts);
  await sendNow(parts, tx, item.id);
  return changed;
}

async function getItem(tx: WriteTx, id: string): Promise<ItemRow> {
  const item = await findItem(tx, id);
  if (!item) throw noSuchDelivery();
  return item;
}

async function recordDecision(
  { audit }: IntakeParts,
  tx: WriteTx,
  caller: Caller,
  done: { operation: AuditOperation; id: string; details?: Record<string, unknown> },
): Promise<void> {
  const { operation, id, details = {} } = done;
  const target = { kind: 'delivery', id };
  await audit.record(tx, { ...recordedActor(actorOf(caller)), operation, target, outcome: 'done', details });
}
