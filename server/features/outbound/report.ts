import type { FileToRead } from '../../platform/file-cipher.ts';
import { formatNumber } from '../../platform/phone-number.ts';
import type { Caller } from '../access/service.ts';
import type { OutboundParts } from './parts.ts';
import type { AttemptRow, FaxRecord, JobRow } from './types.ts';

/** The transmission report: one page with the result, the facts and a picture of page 1 while it is kept. */
export async function transmissionReport(
  parts: OutboundParts,
  caller: Caller,
  { job, attempt }: Pick<FaxRecord, 'job' | 'attempt'>,
): Promise<Uint8Array> {
  const { settings, storage, clock } = parts;
  const local = (iso: string | null) => (iso === null ? 'not yet' : localTime(iso, settings.timeZone()));
  const documents = parts.documents.for(caller.principal.id);
  const draw = (pdfPath: FileToRead | null) => documents.transmissionReport({ ...content, pdfPath });
  const content = {
    title: 'Fax transmission report',
    result: resultOf(job),
    rows: [
      { label: 'To', value: formatNumber(job.to_number) },
      {
        label: 'From',
        value: [settings.organization(), formatNumber(settings.ownNumber() ?? '')].filter(Boolean).join(', '),
      },
      { label: 'Accepted', value: local(job.created_at) },
      { label: 'Submitted', value: local(attempt?.submitted_at ?? null) },
      { label: 'Ended', value: local(attempt?.completed_at ?? null) },
      { label: 'Pages', value: pagesOf(job, attempt) },
      { label: 'Document', value: job.document_name },
      // Two lines: whole, so that it can be compared.
      { label: 'Fingerprint', value: job.document_sha256.slice(0, 32) },
      { label: '', value: job.document_sha256.slice(32) },
      { label: 'Sent by', value: job.created_by_name },
      { label: 'Fax ID', value: job.id },
      { label: 'Provider fax ID', value: job.provider_sid ?? 'none' },
      ...(job.decided_note === null ? [] : [{ label: 'Confirmation', value: job.decided_note }]),
      ...(job.error ? [{ label: 'Reason', value: job.error }] : []),
    ],
    footer: `Created by Faxdesk on ${local(new Date(clock.now()).toISOString())}.`,
  };
  if (job.artifact === null || !(await storage.exists(job.artifact))) return draw(null);
  return storage.lend(job.artifact, draw);
}

function pagesOf(job: JobRow, attempt: AttemptRow | null): string {
  if (attempt?.pages_sent === null || attempt === null) return `${job.document_pages} in the document`;
  return `${attempt.pages_sent} of ${job.document_pages} confirmed`;
}

function resultOf(job: JobRow): string {
  switch (job.delivery_state) {
    case 'success':
      return `Delivered${toldBy(job)}`;
    case 'failed':
      return `Not delivered${toldBy(job)}`;
    case 'cancelled':
      return 'Cancelled before it was sent';
    case 'reconciliation_required':
      return 'Not known: needs confirmation by a person';
    case 'held':
      return 'Held, not sent';
    case 'ready':
    case 'preparing':
    case 'submitting':
    case 'in_progress':
      return 'In progress';
    default:
      return job.delivery_state satisfies never;
  }
}

/** A person's word is not the machine's. */
function toldBy({ decided_by_name }: JobRow): string {
  return decided_by_name === null ? '' : `, confirmed by ${decided_by_name}`;
}

function localTime(iso: string, timeZone: string | null): string {
  const format = { timeZone: timeZone ?? undefined, dateStyle: 'medium', timeStyle: 'long' } as const;
  return new Intl.DateTimeFormat('en', format).format(new Date(iso));
}
