import type { PageForm } from '../../../shared/encoded-pages.ts';
import { type MergedLine, mergeFields, unknownColumns } from '../../../shared/merge-fields.ts';
import { describeEdits } from '../../../shared/page-edits.ts';
import type { WriteTx } from '../../db/database.ts';
import type { PrintedLine } from '../../documents/documents.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import type { FaxAbout } from '../../platform/fax-about.ts';
import { newId } from '../../platform/ids.ts';
import { formatNumber } from '../../platform/phone-number.ts';
import { searchTextOf } from '../../platform/search-text.ts';
import { type Caller, keyOf } from '../access/service.ts';
import type { CoverRequest } from '../covers/types.ts';
import { editsOf, type OutboundService } from '../outbound/service.ts';
import {
  type CheckedRecipient,
  checkRecipients,
  type GivenRecipients,
  isUsable,
  presentChecked,
  type UsableRecipient,
} from './check-recipients.ts';
import { noRecipients, recipientsRefused, unknownColumn } from './errors.ts';
import type { BroadcastsParts } from './parts.ts';
import { presentBroadcasts } from './present.ts';
import { broadcastJob, broadcastJobOf } from './queued.ts';
import { addEvent, findBroadcast, insertBroadcast } from './store/broadcast-store.ts';
import { insertRecipients } from './store/recipient-store.ts';
import type { BroadcastRow, RecipientRow, SentBroadcastAnswer } from './types.ts';

type PrepareOrder = Parameters<OutboundService['prepareBroadcast']>[1];
type Prepared = Awaited<ReturnType<OutboundService['prepareBroadcast']>>;

/** Order to send a document to many recipients. */
export interface BroadcastOrder
  extends Pick<
    PrepareOrder,
    'sources' | 'edits' | 'previewId' | 'cleanGreys' | 'byCall' | 'mailbox' | 'sendAt' | 'sendBy' | 'sendWhen'
  > {
  readonly given: GivenRecipients;
  /** True to send to the usable recipients of a list in which others have a problem; false to refuse such a list. */
  readonly isPartialAllowed: boolean;
  /** Name of the broadcast; null for the subject, or the name of the document. */
  readonly name: string | null;
  readonly about: FaxAbout;
  readonly pageForm: PageForm;
  /** Cover page of each fax, with values that name columns of the list; null for none. */
  readonly cover: CoverRequest | null;
  /** Idempotency-Key with its caller; null for none. */
  readonly requestKey: string | null;
}

/** Maximum number of lines of the list that a refusal names. */
const MAX_NAMED_LINES = 3;

/** Checks a list without recording anything. */
export async function previewBroadcast(
  parts: BroadcastsParts,
  caller: Caller,
  given: GivenRecipients,
  cover: CoverRequest | null,
): Promise<SentBroadcastAnswer> {
  const checked = await checkRecipients(parts, caller, given);
  assertColumns(cover, checked);
  const recipients = checked.filter(isUsable).length;
  return {
    broadcast: null,
    recipients,
    left_out: checked.length - recipients,
    checked: checked.map(presentChecked),
  };
}

/** Records a broadcast with its recipients and one stored document. Throws refusals; then nothing is recorded. */
export async function createBroadcast(
  parts: BroadcastsParts,
  caller: Caller,
  order: BroadcastOrder,
): Promise<SentBroadcastAnswer> {
  const checked = await checkRecipients(parts, caller, order.given);
  const usable = checked.filter(isUsable);
  const problems = checked.filter((each) => !isUsable(each));
  assertColumns(order.cover, checked);
  const [first] = usable;
  if (!first) throw noRecipients(noRecipientsText(problems));
  if (problems.length > 0 && !order.isPartialAllowed)
    throw recipientsRefused(problemText(problems, checked.length));
  const id = newId();
  const artifact = `broadcast/${id}.pdf`;
  const optOutLine = parts.optOutLine();
  const cover =
    order.cover === null ? null : { ...order.cover, fields: mergeCoverFields(order.cover.fields, first) };
  const prepareOrder = { ...order, artifact, firstTo: first.to, cover, line: optOutLine };
  const prepared = await parts.outbound.prepareBroadcast(caller, prepareOrder);
  const row = rowOf(parts, caller, {
    id,
    order,
    prepared,
    optOutLine,
    recipients: usable.length,
  });
  try {
    await record(parts, row, usable, (tx) =>
      parts.outbound.recordPlaced(tx, caller, { id, placed: prepared.placed }),
    );
  } catch (error) {
    const found = await findBroadcast(parts.db.read, id).catch(() => row);
    if (!found) await parts.outbound.removeDocument(artifact);
    throw error;
  }
  const [broadcast] = await presentBroadcasts(parts, [row]);
  return {
    broadcast: broadcast ?? null,
    recipients: usable.length,
    left_out: problems.length,
    checked: problems.map(presentChecked),
  };
}

/** Throws a 400 refusal when a value of the cover page names a column that the list does not have. */
function assertColumns(cover: CoverRequest | null, checked: readonly CheckedRecipient[]): void {
  const [column] = cover === null ? [] : unknownColumns(cover.fields, checked);
  if (column !== undefined) throw unknownColumn(column);
}

/** Returns the values of the cover page of one recipient. */
export function mergeCoverFields(
  fields: Readonly<Record<string, string>>,
  recipient: MergedLine & { readonly to: string },
): Record<string, string> {
  const { name, to } = recipient;
  const toField: Record<string, string> = name === null ? {} : { to: `${name}, ${formatNumber(to)}` };
  return { ...toField, ...mergeFields(fields, recipient) };
}

function noRecipientsText([first]: readonly CheckedRecipient[]): string {
  if (!first) return 'The list of recipients is empty. Nothing was sent.';
  return `Nobody in the list can get a fax. Line ${first.line}: ${first.problem} Nothing was sent.`;
}

function problemText(problems: readonly CheckedRecipient[], total: number): string {
  const named = problems.slice(0, MAX_NAMED_LINES).map(({ line, problem }) => `Line ${line}: ${problem}`);
  const count = `${problems.length} of ${total} lines ${problems.length === 1 ? 'has' : 'have'} a problem.`;
  return `${count} ${named.join(' ')} Nothing was sent.`;
}

async function record(
  { db, queue, clock, notifier }: BroadcastsParts,
  row: BroadcastRow,
  usable: readonly UsableRecipient[],
  recordPlaced: (tx: WriteTx) => Promise<void>,
): Promise<void> {
  const recipients = usable.map(
    ({ line, to, name, fields }, at): RecipientRow => ({
      broadcast_id: row.id,
      position: at + 1,
      line,
      to_number: to,
      name,
      fields: JSON.stringify(fields),
      state: 'waiting',
      reason: null,
      fax_id: null,
      again: 0,
      updated_at: row.created_at,
    }),
  );
  const runAt = row.send_at === null ? clock.now() : Math.max(clock.now(), epochOf(row.send_at));
  const count = recipients.length === 1 ? '1 recipient' : `${recipients.length} recipients`;
  await db.transaction(async (tx) => {
    await insertBroadcast(tx, row);
    await insertRecipients(tx, recipients);
    await queue.enqueue(tx, broadcastJob, broadcastJobOf(row.id, runAt));
    await addEvent(tx, {
      broadcast_id: row.id,
      occurred_at: row.created_at,
      actor: row.created_by_name,
      text: [`Accepted for ${count}.`, editsSentence(row)].filter(Boolean).join(' '),
    });
    await recordPlaced(tx);
    notifier.notify(tx, row);
  });
}

/** Returns the history sentence about changed pages; null when no page was changed. */
function editsSentence(row: BroadcastRow): string | null {
  const edits = editsOf(row);
  return edits && `Pages were changed before sending: ${describeEdits(edits)}.`;
}

function rowOf(
  { clock }: BroadcastsParts,
  caller: Caller,
  given: {
    id: string;
    order: BroadcastOrder;
    prepared: Prepared;
    optOutLine: PrintedLine | null;
    recipients: number;
  },
): BroadcastRow {
  const { id, order, optOutLine, recipients } = given;
  const { document, mailboxId, sendAt, sendBy, coverName, headerName } = given.prepared;
  const at = isoTime(clock.now());
  const { id: principalId, kind, displayName } = caller.principal;
  // The permission of other callers is checked again before each fax is sent.
  const isCheckedOnce = kind === 'bootstrap' || caller.isTest;
  const name = order.name || order.about.subject || document.fileName;
  return {
    id,
    state: 'active',
    version: 1,
    changes: 1,
    change_id: id,
    name,
    paused_reason: null,
    recipients,
    artifact: document.artifact,
    document_name: document.fileName,
    document_media_type: document.mediaType,
    document_sha256: document.sha256,
    document_size: document.sizeBytes,
    document_pages: document.pages,
    source_digest: document.sourceDigest,
    call_seconds: document.callSeconds,
    page_edits: document.edits === null ? null : JSON.stringify(document.edits),
    page_form: order.pageForm,
    clean_greys: order.cleanGreys ? 1 : 0,
    send_by_call: order.byCall ? 1 : 0,
    ...order.about,
    mailbox_id: mailboxId,
    created_by: principalId,
    created_by_name: displayName,
    header_name: headerName,
    sends_for: isCheckedOnce ? null : (keyOf(caller) ?? principalId),
    cancelled_by_name: null,
    send_at: sendAt,
    send_by: sendBy,
    send_when: order.sendWhen,
    cover_id: order.cover?.id ?? null,
    cover_name: coverName,
    cover_fields: order.cover === null ? null : JSON.stringify(order.cover.fields),
    opt_out_page: order.cover === null ? null : (optOutLine?.page ?? null),
    opt_out_line: optOutLine?.text ?? null,
    request_key: order.requestKey,
    created_at: at,
    updated_at: at,
    test: caller.isTest ? 1 : 0,
    search_text: searchTextOf([name, document.fileName, order.about.subject, order.about.reference]),
  };
}
