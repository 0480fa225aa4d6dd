import type { WriteTx } from '../../db/database.ts';
import {
  DONE,
  defineJob,
  type JobDefinition,
  type JobResult,
  type SettledResult,
} from '../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { mailboxResource, may } from '../access/service.ts';
import { editsOf } from '../outbound/service.ts';
import { mergeCoverFields } from './create.ts';
import { BroadcastStoppedError } from './errors.ts';
import type { BroadcastsParts } from './parts.ts';
import { countsOf, coverFieldsOf } from './present.ts';
import { type BroadcastPayload, broadcastJob } from './queued.ts';
import { addEvent, changeBroadcast, findBroadcast, touchBroadcast } from './store/broadcast-store.ts';
import {
  claimRecipient,
  endRecipient,
  giveUp,
  listAgain,
  listFaxes,
  listWaiting,
} from './store/recipient-store.ts';
import type { BroadcastRow, RecipientCounts, RecipientRow } from './types.ts';

/** Faxes of one broadcast that are ready at a time: a pause leaves no more of them to be sent. */
const WINDOW = 20;
/** A fax that leaves makes the job due earlier. */
const WINDOW_RETRY_MS = 5_000;
const SENDING_OFF_RETRY_MS = 30_000;

/** Refusals that concern one recipient; others stop the broadcast. */
const OF_RECIPIENT: ReadonlySet<string> = new Set([
  'invalid_fax_number',
  'number_blocked',
  'guard_refused',
  'shared_key_missing',
  'encrypted_pages_only',
  'too_many_encoded_pages',
  'cover_refused',
  'send_by_past',
  'send_by_before_hours',
]);

/**
 * Makes the faxes of a broadcast, a few ahead of those that are sent. Safe to run twice: the fax of a recipient and the
 * mark that it has one are recorded in one transaction.
 */
export function defineBroadcastSend(parts: BroadcastsParts): JobDefinition<BroadcastPayload> {
  return defineJob({
    ...broadcastJob,
    concurrency: 2,
    lost: 'repeat',
    run: ({ broadcast_id: id }, { signal }) => run(parts, id, signal),
  });
}

async function run(parts: BroadcastsParts, id: string, signal: AbortSignal): Promise<JobResult> {
  const { db, clock, outbound } = parts;
  const again = (ms: number, reason: string): JobResult => ({ kind: 'retry', at: clock.now() + ms, reason });
  for (;;) {
    const row = await findBroadcast(db.read, id);
    if (!row) return DONE;
    if (row.state === 'cancelled') return cancelOpen(parts, row);
    if (row.state === 'paused') return settle(parts, id);
    const begins = row.send_at === null ? 0 : epochOf(row.send_at);
    // A change of a scheduled broadcast makes its job due early.
    if (begins > clock.now()) return again(begins - clock.now(), 'it is planned for later');
    if (outbound.isSendingOff()) return again(SENDING_OFF_RETRY_MS, 'sending is off');
    const counts = (await countsOf(db.read, [id])).get(id) as RecipientCounts;
    const room = WINDOW - counts.queued - counts.held;
    const failed = await listAgain(db.read, id, Math.max(room, 1));
    const waiting = await listWaiting(db.read, id, Math.max(room - failed.length, 1));
    if (failed.length + waiting.length === 0) return finish(parts, row);
    if (room <= 0) return again(WINDOW_RETRY_MS, 'its faxes are being sent');
    if (!(await maySend(parts, row))) {
      await pause(parts, row, `${row.created_by_name} may no longer send faxes here.`);
      continue;
    }
    await sendSome(parts, row, { failed, waiting: waiting.slice(0, room - failed.length), signal });
    if (signal.aborted) return again(0, 'the gateway stops');
  }
}

/** Rights that the sender lost meanwhile end the sending. */
async function maySend({ access }: BroadcastsParts, row: BroadcastRow): Promise<boolean> {
  if (row.sends_for === null) return true;
  const caller = await access.callerFor(row.sends_for, 'none');
  if (caller === null) return false;
  const resources = row.mailbox_id === null ? [] : [mailboxResource(row.mailbox_id)];
  return may(caller, 'fax:send', { resources, ownerId: row.created_by });
}

async function sendSome(
  parts: BroadcastsParts,
  row: BroadcastRow,
  next: { failed: readonly RecipientRow[]; waiting: readonly RecipientRow[]; signal: AbortSignal },
): Promise<void> {
  const work = [
    ...next.failed.map((recipient) => ({ recipient, send: () => sendAgain(parts, recipient) })),
    ...next.waiting.map((recipient) => ({ recipient, send: () => sendTo(parts, row, recipient) })),
  ];
  for (const { recipient, send } of work) {
    if (next.signal.aborted) return;
    try {
      await send();
    } catch (error) {
      // Paused or canceled in the same moment.
      if (error instanceof BroadcastStoppedError) return;
      if (!(error instanceof RefusalError) || error.status >= 500 || error.status === 429) throw error;
      if (!OF_RECIPIENT.has(error.refusalCode) && recipient.state === 'waiting') {
        await pause(parts, row, error.publicMessage);
        return;
      }
      await endWith(parts, recipient, error.publicMessage);
    }
  }
}

async function sendTo(parts: BroadcastsParts, row: BroadcastRow, recipient: RecipientRow): Promise<void> {
  const { artifact, cover_id: coverId, opt_out_line: text, opt_out_page: page } = row;
  if (artifact === null) throw new Error('a broadcast with waiting recipients has a document');
  await parts.outbound.sendToRecipient({
    broadcastId: row.id,
    to: recipient.to_number,
    document: {
      artifact,
      fileName: row.document_name,
      mediaType: row.document_media_type,
      sha256: row.document_sha256,
      sizeBytes: row.document_size,
      pages: row.document_pages,
      sourceDigest: row.source_digest,
      callSeconds: row.call_seconds,
      edits: editsOf(row),
      line: text === null || page === null ? null : { text, page },
    },
    cover: coverId === null ? null : { id: coverId, fields: mergedOf(row, recipient) },
    // Only a cover page names them.
    caller:
      coverId === null || row.sends_for === null ? null : await parts.access.callerFor(row.sends_for, 'none'),
    sendBy: row.send_by,
    sendWhen: row.send_when,
    sender: {
      created_by: row.created_by,
      created_by_name: row.created_by_name,
      header_name: row.header_name,
    },
    mailboxId: row.mailbox_id,
    about: row,
    cleanGreys: row.clean_greys === 1,
    pageForm: row.page_form,
    byCall: row.send_by_call === 1,
    isTest: row.test === 1,
    link: (tx, faxId) => linkFax(parts, tx, recipient, faxId),
  });
}

function mergedOf(row: BroadcastRow, { name, fields, to_number: to }: RecipientRow): Record<string, string> {
  return mergeCoverFields(coverFieldsOf(row), {
    name,
    to,
    fields: JSON.parse(fields) as Record<string, string>,
  });
}

async function linkFax(
  { clock, notifier }: BroadcastsParts,
  tx: WriteTx,
  recipient: RecipientRow,
  faxId: string,
): Promise<void> {
  const at = isoTime(clock.now());
  if (!(await claimRecipient(tx, recipient, { faxId, at }))) throw new BroadcastStoppedError();
  notifier.notify(tx, await touchBroadcast(tx, recipient.broadcast_id, at));
}

async function sendAgain({ db, outbound }: BroadcastsParts, recipient: RecipientRow): Promise<void> {
  await outbound.sendFailedAgain(recipient.fax_id ?? '');
  // A newer fax took its place; otherwise it no longer failed.
  await db.transaction((tx) => giveUp(tx, recipient, null));
}

async function endWith(
  { db, clock, notifier }: BroadcastsParts,
  recipient: RecipientRow,
  reason: string,
): Promise<void> {
  const at = isoTime(clock.now());
  await db.transaction(async (tx) => {
    if (recipient.state === 'waiting') await endRecipient(tx, recipient, { state: 'refused', reason, at });
    else await giveUp(tx, recipient, reason);
    notifier.notify(tx, await touchBroadcast(tx, recipient.broadcast_id, at));
  });
}

/** Stops a broadcast that cannot go on, until a person continues it. */
async function pause(
  { db, clock, logger, notifier }: BroadcastsParts,
  row: BroadcastRow,
  reason: string,
): Promise<void> {
  const at = isoTime(clock.now());
  await db.transaction(async (tx) => {
    const changed = await changeBroadcast(tx, row, {
      state: 'paused',
      paused_reason: reason,
      updated_at: at,
    });
    const text = `Paused. ${reason}`;
    if (!changed) return;
    await addEvent(tx, { broadcast_id: row.id, occurred_at: at, actor: 'Faxdesk', text });
    notifier.notify(tx, changed);
  });
  logger.warn({ broadcast: row.id, reason }, 'a broadcast was paused');
}

/** Cancels what was ready when the rest was canceled. */
async function cancelOpen(parts: BroadcastsParts, row: BroadcastRow): Promise<JobResult> {
  const name = row.cancelled_by_name ?? 'Faxdesk';
  const actor = { id: 'system', name, credentialKind: 'none', policyVersion: null, requestId: null } as const;
  for (const id of await listFaxes(parts.db.read, row.id, ['queued', 'held']))
    await parts.outbound.cancelWaiting(id, actor);
  return finish(parts, row);
}

/** Gives up the document, which no recipient waits for. */
async function finish(parts: BroadcastsParts, row: BroadcastRow): Promise<JobResult> {
  const { artifact } = row;
  const isRemoved =
    artifact !== null &&
    (await parts.db.transaction((tx) => changeBroadcast(tx, row, { artifact: null }))) !== null;
  if (isRemoved) await parts.outbound.removeDocument(artifact);
  return settle(parts, row.id);
}

/** Ends the job, unless there is work for it again by now. */
function settle({ clock }: BroadcastsParts, id: string): JobResult {
  return {
    kind: 'decide',
    async decide(tx): Promise<SettledResult> {
      const row = await findBroadcast(tx, id);
      const hasWork =
        row?.state === 'active' &&
        (await listAgain(tx, id, 1)).length + (await listWaiting(tx, id, 1)).length > 0;
      return hasWork ? { kind: 'retry', at: clock.now(), reason: 'it goes on' } : DONE;
    },
  };
}
