import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeEdits } from '../../../shared/page-edits.ts';
import { RECIPIENT_STATES, type RecipientState } from '../../../shared/states/broadcasts.ts';
import { epochOf } from '../../platform/clock.ts';
import { csvLine } from '../../platform/csv.ts';
import { newId } from '../../platform/ids.ts';
import { localRecord } from '../../platform/local-time.ts';
import { formatNumber } from '../../platform/phone-number.ts';
import type { Caller } from '../access/service.ts';
import type { BroadcastsParts } from './parts.ts';
import { presentBroadcasts } from './present.ts';
import { listRecipients } from './store/recipient-store.ts';
import type { BroadcastRow, RecipientRow } from './types.ts';

/** Names that programs read. */
const COLUMNS = ['line', 'number', 'name', 'state', 'reason', 'fax_id', 'updated_at'] as const;

/** RFC 4180, a line of names first: each recipient in the order of the list, then the further columns of the list. */
export async function csvReport(parts: BroadcastsParts, row: BroadcastRow): Promise<string> {
  const recipients = await allRecipients(parts, row);
  const fields = recipients.map((each) => JSON.parse(each.fields) as Record<string, string>);
  const further = [...new Set(fields.flatMap((each) => Object.keys(each)))];
  const lines = recipients.map((each, at) =>
    csvLine([
      each.line,
      each.to_number,
      each.name,
      each.state,
      each.reason,
      each.fax_id,
      each.updated_at,
      ...further.map((name) => fields[at]?.[name] ?? null),
    ]),
  );
  return [csvLine([...COLUMNS, ...further]), ...lines].join('');
}

const WORDS: Readonly<Record<RecipientState, string>> = {
  waiting: 'waiting',
  queued: 'ready to be sent',
  held: 'held',
  sending: 'sending',
  delivered: 'delivered',
  failed: 'not delivered',
  unconfirmed: 'needs confirmation',
  cancelled: 'canceled',
  refused: 'not sent',
};

/** Returns the report as a PDF: the counts, and each recipient with its outcome. */
export async function pdfReport(
  parts: BroadcastsParts,
  caller: Caller,
  row: BroadcastRow,
): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(await reportText(parts, row));
  const source = { bytes, fileName: 'report.txt', declaredType: 'text/plain' };
  const path = join(parts.workDirectory, `${newId()}.pdf`);
  try {
    await parts.documents.for(caller.principal.id).prepare([source], path, { maxBytes: MAX_REPORT_BYTES });
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

const MAX_REPORT_BYTES = 20 * 1024 * 1024;

async function reportText(parts: BroadcastsParts, row: BroadcastRow): Promise<string> {
  const local = (iso: string) => localRecord(epochOf(iso), parts.where());
  const [answer] = await presentBroadcasts(parts, [row]);
  if (!answer) throw new Error('a broadcast can be shown');
  const { counts, document } = answer;
  const recipients = await allRecipients(parts, row);
  const pages = document.pages === 1 ? '1 page' : `${document.pages} pages`;
  return [
    row.test === 1 ? 'Test broadcast: nothing was sent' : 'Broadcast report',
    '',
    `Name: ${answer.name}`,
    `Document: ${document.file_name} (${pages})`,
    `Fingerprint: ${document.sha256}`,
    ...(answer.edits === null
      ? []
      : [
          `Pages changed: ${describeEdits(answer.edits)}`,
          `Fingerprint of the original: ${answer.edits.original.sha256}`,
        ]),
    `Sent by: ${answer.created_by.name} on ${local(answer.created_at)}`,
    `Broadcast ID: ${answer.id}`,
    ...(answer.send_by === null ? [] : [`Latest time: ${local(answer.send_by)}`]),
    ...(answer.cover === null ? [] : [`Cover page: ${answer.cover.name}`]),
    ...(answer.opt_out_line === null ? [] : [`Opt-out line: ${answer.opt_out_line}`]),
    `Recipients: ${answer.recipients}`,
    ...RECIPIENT_STATES.flatMap((state) =>
      counts[state] === 0 ? [] : `  ${WORDS[state]}: ${counts[state]}`,
    ),
    '',
    ...recipients.flatMap((each) => recipientLines(each, local)),
    '',
    `Created by Faxdesk on ${localRecord(parts.clock.now(), parts.where())}.`,
    '',
  ].join('\n');
}

function recipientLines(each: RecipientRow, local: (iso: string) => string): string[] {
  const name = each.name === null ? '' : `, ${each.name}`;
  const reason = each.reason === null ? [] : [`      ${each.reason}`];
  return [
    `${each.position}. ${formatNumber(each.to_number)}${name}: ${WORDS[each.state]}, ${local(each.updated_at)}`,
    ...reason,
  ];
}

async function allRecipients(
  { db }: BroadcastsParts,
  { id, recipients }: BroadcastRow,
): Promise<RecipientRow[]> {
  return (await listRecipients(db.read, { broadcastId: id, limit: recipients })).items;
}
