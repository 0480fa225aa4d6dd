import type { WriteTx } from '../../db/database.ts';
import {
  DONE,
  defineJob,
  type JobDefinition,
  type JobResult,
  type SettledResult,
} from '../../jobs/define-job.ts';
import { beginHandOver } from '../../jobs/work-permit.ts';
import { isoTime } from '../../platform/clock.ts';
import { change, ItemChangedError } from './change.ts';
import { deliverJob } from './deliver-queue.ts';
import { type DeliveryResult, failedResult, HOUR_MS, resultOfOutcome, uncertainResult } from './outcome.ts';
import type { IntakeParts } from './parts.ts';
import { prepare } from './prepare.ts';
import { findItem } from './store/item-store.ts';
import { recipientsOf, removeRecipients } from './store/recipient-store.ts';
import type { ItemRow } from './types.ts';

/** E-mails on their way at once. */
const AT_ONCE = 4;

const VANISHED = 'Faxdesk was stopped while the e-mail was being sent.';

/** Sends the e-mail of an item, once for each time that it is due. */
export function defineDelivery(parts: IntakeParts): JobDefinition<{ item_id: string }> {
  return defineJob({
    ...deliverJob,
    concurrency: AT_ONCE,
    // An item that a vanished worker left in `sending` becomes uncertain when the job comes back.
    lost: 'repeat',
    maxWaitMs: HOUR_MS,
    run: ({ item_id }) => deliver(parts, item_id),
  });
}

async function deliver(parts: IntakeParts, itemId: string): Promise<JobResult> {
  const item = await findItem(parts.db.read, itemId);
  if (item?.state === 'sending') return decide(parts, itemId, (tx) => uncertainItem(tx, itemId, VANISHED));
  if (item?.state !== 'received') return DONE;
  const until = item.retry_at === null ? await parts.inbound.originalAwaitedUntil(item.fax_id) : null;
  if (until !== null) return { kind: 'retry', at: until, reason: 'its pages are looked at for an original' };
  const prepared = await prepare(parts, item);
  if ('failure' in prepared) return decide(parts, itemId, (_tx, now) => failedResult(now, prepared.failure));
  if ('refused' in prepared) {
    const outcome = {
      kind: 'refused',
      sentence: prepared.refused,
      refused: new Map<string, string>(),
    } as const;
    return decide(parts, itemId, (_tx, now) => resultOfOutcome(now, prepared.targets, outcome));
  }
  const { server, message, dropped } = prepared;
  // Every current recipient has it already.
  if (message.to.length === 0) return decide(parts, itemId, (_tx, now) => allDelivered(now));
  const outcome = await parts.mailer.send(server, message, () =>
    beginHandOver(parts.permit, () => begin(parts, itemId, dropped)),
  );
  return decide(parts, itemId, (_tx, now) => resultOfOutcome(now, message.to, outcome));
}

/** Marks the item as being sent. If the gateway vanishes from here on, the outcome is uncertain. */
async function begin(parts: IntakeParts, itemId: string, dropped: readonly string[]): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const item = await findItem(tx, itemId);
    if (item?.state !== 'received') throw new ItemChangedError(`the e-mail ${itemId} is not to be sent now`);
    await removeRecipients(tx, itemId, dropped);
    await change(parts, tx, item, { state: 'sending', retry_at: null });
  });
}

/** Records the outcome in the transaction that settles the job. */
function decide(
  parts: IntakeParts,
  itemId: string,
  settle: (tx: WriteTx, item: ItemRow) => DeliveryResult | Promise<DeliveryResult>,
): JobResult {
  return {
    kind: 'decide',
    async decide(tx) {
      const item = await findItem(tx, itemId);
      if (!item) return DONE;
      const settled = await settle(tx, item);
      // Another gateway marked this one as lost, but its outcome arrived after all.
      const isFound = item.state === 'uncertain' && settled.changes.state === 'delivered';
      if (item.state !== 'received' && item.state !== 'sending' && !isFound) return DONE;
      return record(parts, tx, item, settled);
    },
  };
}

async function record(
  parts: IntakeParts,
  tx: WriteTx,
  item: ItemRow,
  settled: DeliveryResult,
): Promise<SettledResult> {
  const { changes, recipients, waitMs } = settled;
  const at = waitMs === null ? null : parts.clock.now() + waitMs;
  await change(parts, tx, item, { ...changes, retry_at: at === null ? null : isoTime(at) }, recipients);
  return at === null ? DONE : { kind: 'retry', at, reason: changes.problem ?? '' };
}

/** Returns the uncertain outcome for all recipients who may have been handed it. */
async function uncertainItem(tx: WriteTx, itemId: string, sentence: string): Promise<DeliveryResult> {
  const open = (await recipientsOf(tx, [itemId])).filter(({ state }) => state !== 'delivered');
  return uncertainResult(
    open.map(({ address }) => address),
    sentence,
  );
}

function allDelivered({ failures }: ItemRow): DeliveryResult {
  return { changes: { state: 'delivered', problem: null, failures }, recipients: [], waitMs: null };
}
