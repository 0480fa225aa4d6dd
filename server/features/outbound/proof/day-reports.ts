import { Readable } from 'node:stream';
import { csvLine } from '../../../platform/csv.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { spanOfDay } from '../../../platform/local-days.ts';
import { zipOf } from '../../../platform/stored-zip.ts';
import type { Caller, DocumentUse } from '../../access/service.ts';
import { recordsOf } from '../list/records.ts';
import type { OutboundParts } from '../parts.ts';
import { listJobs } from '../store/job-list.ts';
import { findJob } from '../store/job-store.ts';
import type { FaxRecord } from '../types.ts';
import { assertMay, testFaxesFor, visibleFaxes } from '../visibility.ts';
import { resultText } from './result-words.ts';
import type { TransmissionReports } from './transmission-report.ts';

export type DayReportsParts = Parameters<typeof recordsOf>[0] &
  Pick<OutboundParts, 'settings' | 'logger' | 'noteDocumentRead'> & {
    readonly transmissionReports: TransmissionReports;
  };
type Parts = DayReportsParts;

export interface DayReportsRequest {
  readonly caller: Caller;
  /** `2026-11-23`, by the clocks of the office. */
  readonly day: string;
  readonly use: DocumentUse;
  /** The caller with what they may do by now. */
  currentCaller(): Promise<Caller>;
}

/** Rows of the list in memory at a time; before each of them the permissions of the caller are read again. */
const PAGE_SIZE = 50;

const COLUMNS = [
  'file',
  'fax_id',
  'accepted_at',
  'to',
  'recipient',
  'subject',
  'reference',
  'document_type',
  'sent_by',
  'delivery_state',
  'result',
  'pages',
  'document_sha256',
  'report_sha256',
  'problem',
];
const INDEX_FILE = 'index.csv';

/**
 * Returns a zip with the report of each fax that was accepted on a day and whose document the caller may open, newest
 * first, and a list of them at its end. It is made while it is read, one report at a time. A report that cannot be made is
 * in the list with the reason.
 */
export function dayReports(parts: Parts, request: DayReportsRequest): Readable {
  return Readable.from(zipOf(filesOf(parts, request)), { objectMode: false });
}

async function* filesOf(parts: Parts, request: DayReportsRequest) {
  const lines = [csvLine(COLUMNS)];
  for await (const record of faxesOf(parts, request)) {
    const { job } = record.fax;
    const file = `${job.id}.pdf`;
    const made = await reportOf(parts, record);
    if (typeof made === 'string') lines.push(lineOf(record.fax, { file: '', sha256: '', problem: made }));
    else {
      yield { name: file, bytes: made };
      await parts.noteDocumentRead(record.caller, {
        use: request.use,
        document: 'transmission report',
        id: job.id,
      });
      lines.push(lineOf(record.fax, { file, sha256: sha256Hex(made), problem: '' }));
    }
  }
  // With a byte order mark, so that spreadsheets read it as UTF-8.
  yield { name: INDEX_FILE, bytes: Buffer.from(`\uFEFF${lines.join('')}`) };
}

interface ListedFax {
  readonly fax: FaxRecord;
  readonly caller: Caller;
}

async function* faxesOf(parts: Parts, request: DayReportsRequest): AsyncGenerator<ListedFax> {
  const { db, settings } = parts;
  const span = spanOfDay(request.day, settings.timeZone());
  let { caller } = request;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof listJobs>> = await listJobs(db.read, {
      ...span,
      scope: visibleFaxes(caller, 'fax:document'),
      testFaxes: testFaxesFor(caller, false),
      limit: PAGE_SIZE,
      cursor,
    });
    for (const fax of await recordsOf(parts, caller, page.items)) yield { fax, caller };
    cursor = page.next_cursor;
    if (cursor !== null) caller = await request.currentCaller();
  }
}

/** Returns the report, or a sentence that says why there is none. */
async function reportOf(parts: Parts, { fax, caller }: ListedFax): Promise<Uint8Array | string> {
  try {
    // Its report has the changes of the meantime.
    const job = assertMay(caller, 'fax:document', await findJob(parts.db.read, fax.job.id));
    const [record = fax] = await recordsOf(parts, caller, [job]);
    return await parts.transmissionReports.create(caller, record);
  } catch (error) {
    parts.logger.error({ error, fax: fax.job.id }, 'a transmission report could not be created');
    return 'The report could not be created. Open it in the details of the fax.';
  }
}

function lineOf(
  { job, contact }: FaxRecord,
  { file, sha256, problem }: { file: string; sha256: string; problem: string },
): string {
  return csvLine([
    file,
    job.id,
    job.created_at,
    job.to_number,
    contact?.name ?? null,
    job.subject,
    job.reference,
    job.document_type,
    job.created_by_name,
    job.delivery_state,
    resultText({
      delivery_state: job.delivery_state,
      delivered_by: job.delivered_by,
      test: job.test === 1,
      decision: job.decided_by_name === null ? null : { by: job.decided_by_name, note: job.decided_note },
    }),
    job.document_pages,
    job.document_sha256,
    sha256,
    problem,
  ]);
}
