import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import { StorageMissingError } from '../../../adapters/storage/port.ts';
import { readingError } from '../../../adapters/storage/reading-port.ts';
import { epochOf } from '../../../platform/clock.ts';
import { SealError } from '../../../platform/errors.ts';
import type { FileToRead } from '../../../platform/file-cipher.ts';
import { localRecord } from '../../../platform/local-time.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import type { Caller } from '../../access/service.ts';
import { confirmedPages } from '../confirmed-pages.ts';
import { isTerminal } from '../delivery-state.ts';
import type { OutboundParts } from '../parts.ts';
import { transportOf } from '../plan/transport-of.ts';
import { type HistoryEvent, listHistory } from '../store/history-store.ts';
import { arrivalWarning } from '../transition/arrived.ts';
import type { ReceiptFact } from '../transport-port.ts';
import {
  type AttemptRow,
  coverOf,
  type FaxRecord,
  isDirect,
  isInternal,
  type JobRow,
  packetOf,
} from '../types.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'storage' | 'documents' | 'transports' | 'settings'>;

/** Creates transmission reports. */
export interface TransmissionReports {
  /** Creates one page with the result, the facts and a picture of page 1 while it is kept. */
  create(caller: Caller, fax: Pick<FaxRecord, 'job' | 'attempt'>): Promise<Uint8Array>;
}

export function createTransmissionReports(parts: Parts): TransmissionReports {
  return { create: (caller, fax) => createReport(parts, caller, fax) };
}

async function createReport(
  parts: Parts,
  caller: Caller,
  { job, attempt }: Pick<FaxRecord, 'job' | 'attempt'>,
): Promise<Uint8Array> {
  const { settings, storage, clock } = parts;
  const where = { country: settings.country(), timeZone: settings.timeZone() };
  const local = (iso: string) => localRecord(epochOf(iso), where);
  const provider = parts.transports.nameOf(job.backend);
  const history = await listHistory(parts.db.read, job.id);
  const end = endOf(job, history);
  const notReached = history.filter(({ kind }) => kind === 'not_reached');
  const warning = arrivalWarning(job, attempt);
  const receipt = await receiptOf(parts, { job, attempt });
  const documents = parts.documents.for(caller.principal.id);
  const draw = (pdfPath: FileToRead | null) => documents.transmissionReport({ ...content, pdfPath });
  const content = {
    title: job.test === 1 ? 'Test fax: nothing was sent' : 'Fax transmission report',
    result: resultOf(job),
    rows: [
      { label: 'To', value: formatNumber(job.to_number) },
      {
        label: 'From',
        value: [settings.organization(), formatNumber(settings.ownNumber() ?? '')].filter(Boolean).join(', '),
      },
      ...aboutRows(job, settings.referenceLabel()),
      { label: 'Accepted', value: local(job.created_at) },
      ...(job.kind === 'code' ? [{ label: 'Kind', value: 'partner code for direct delivery' }] : []),
      ...(job.test === 1
        ? [{ label: 'Test', value: 'yes: a test key sent it, and it was handed to nobody' }]
        : []),
      withoutCall(job)
        ? { label: 'Delivery', value: withoutCall(job) ?? '' }
        : {
            label: job.test === 1 ? 'Handled' : `Sent to ${provider}`,
            value: submittedAt(job, attempt, local),
          },
      ...endRows(job, end, local),
      { label: 'Pages', value: pagesOf(job, attempt) },
      ...(job.cover === null ? [] : [{ label: 'Cover page', value: coverOf(job)?.name ?? '' }]),
      ...(job.case_id === null ? [] : [{ label: 'Case', value: caseOf(job, job.case_id) }]),
      { label: 'Document', value: job.document_name },
      // Shown whole, on two lines, so that it can be compared.
      { label: 'Fingerprint', value: job.document_sha256.slice(0, 32) },
      { label: '', value: job.document_sha256.slice(32) },
      { label: 'Sent by', value: job.created_by_name },
      { label: 'Fax ID', value: job.id },
      { label: idLabel(job, provider), value: job.provider_sid ?? 'none' },
      ...receipt.map(({ label, value, isTime }) => ({ label, value: isTime ? local(value) : value })),
      ...notReached.map(({ occurred_at, actor }) => ({
        label: 'Not reached',
        value: `${local(occurred_at)} by ${actor}`,
      })),
      ...(job.decided_note === null ? [] : [{ label: 'Confirmation', value: job.decided_note }]),
      ...(warning === null ? [] : [{ label: 'Warning', value: warning }]),
      ...(job.error === null || job.delivery_state === 'cancelled'
        ? []
        : [{ label: 'Reason', value: job.error }]),
    ],
    footer: `Created by Faxdesk on ${localRecord(clock.now(), where)}.`,
  };
  if (job.artifact === null) return draw(null);
  try {
    return await storage.withFile(job.artifact, draw);
  } catch (thrown) {
    const error = readingError(thrown);
    // The report can be drawn without the document.
    if (error instanceof StorageMissingError || error instanceof SealError) return draw(null);
    throw error;
  }
}

/** Returns the rows of subject, reference and type, those that are given; `word` is that of the office for the reference. */
function aboutRows(job: JobRow, word: string): { label: string; value: string }[] {
  const { subject, reference, document_type } = job;
  const rows = [
    { label: 'Subject', value: subject },
    { label: word, value: reference },
    { label: 'Document type', value: document_type },
  ];
  return rows.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]));
}

function caseOf(job: JobRow, caseId: string): string {
  const { length: documents } = packetOf(job);
  if (documents === 0) return caseId;
  return `${caseId} (${documents === 1 ? '1 document' : `${documents} documents`})`;
}

/** Returns how a fax was or is delivered without a call; null for one that is called. */
function withoutCall(job: JobRow): string | null {
  if (isInternal(job)) return 'inside this installation, without a call';
  return isDirect(job) ? 'directly to the partner’s installation, as the original' : null;
}

function idLabel(job: JobRow, provider: string): string {
  if (isInternal(job)) return 'Received fax ID';
  if (isDirect(job)) return 'Message ID';
  return job.test === 1 ? 'Test ID' : `${provider} fax ID`;
}

/** Lists the facts of the signed receipt; empty where the recipient signs none. */
async function receiptOf(
  { transports }: Pick<Parts, 'transports'>,
  { job, attempt }: Pick<FaxRecord, 'job' | 'attempt'>,
): Promise<readonly ReceiptFact[]> {
  if (!isDirect(job) || attempt === null || job.provider_sid === null) return [];
  const { transport: kind, backend } = attempt;
  const { describeReceipt } = transportOf({ transports }, [job], { kind, backend });
  return (await describeReceipt?.(job.provider_sid)) ?? [];
}

/**
 * Returns the history entry that ended the fax; undefined while it has not ended, or where no entry records the end.
 */
function endOf(job: JobRow, history: readonly HistoryEvent[]): HistoryEvent | undefined {
  if (!isTerminal(job.delivery_state)) return undefined;
  return history.findLast(({ kind }) => END_KINDS.includes(kind));
}

const END_KINDS: readonly FaxHistoryKind[] = ['success', 'failed', 'cancelled', 'reconciled'];

type FormatTime = (iso: string) => string;

/** A fax that has ended without it never goes out. */
function submittedAt({ delivery_state }: JobRow, attempt: AttemptRow | null, local: FormatTime): string {
  if (attempt?.submitted_at) return local(attempt.submitted_at);
  return isTerminal(delivery_state) ? 'never' : 'not yet';
}

/** Returns the row with the time of the end, labeled by outcome, and the person who ended it, if any. */
function endRows(
  { delivery_state, decided_by_name }: JobRow,
  end: HistoryEvent | undefined,
  local: FormatTime,
): { label: string; value: string }[] {
  if (!end) return [{ label: 'Ended', value: isTerminal(delivery_state) ? 'not recorded' : 'not yet' }];
  const at = local(end.occurred_at);
  if (end.kind === 'cancelled') return [{ label: 'Canceled', value: `${at} by ${end.actor}` }];
  if (decided_by_name !== null) return [{ label: 'Confirmed', value: `${at} by ${decided_by_name}` }];
  return [{ label: delivery_state === 'success' ? 'Delivered' : 'Failed', value: at }];
}

function pagesOf(job: JobRow, attempt: AttemptRow | null): string {
  const confirmed = attempt === null ? null : confirmedPages(job, attempt);
  const word = job.delivery_state === 'failed' && job.decided_note !== null ? 'arrived' : 'confirmed';
  const encoded = attempt?.encoded_pages ?? null;
  if (encoded !== null) {
    const sent = `${encoded} encoded pages that carry ${job.document_pages === 1 ? '1 page' : `${job.document_pages} pages`}`;
    return confirmed === null ? sent : `${confirmed} of ${sent} ${word}`;
  }
  if (confirmed !== null) return `${confirmed} of ${job.document_pages} ${word}`;
  const isMissing = job.delivery_state === 'failed' && attempt !== null;
  return `${job.document_pages} in the document${isMissing ? ', none confirmed' : ''}`;
}

function resultOf(job: JobRow): string {
  switch (job.delivery_state) {
    case 'success':
      if (job.test === 1) return `Recorded as delivered${confirmedByText(job)}; nothing was sent`;
      if (job.delivered_by === 'internal') return 'Delivered inside this installation';
      if (job.delivered_by === 'direct') return 'Delivered directly, receipt signed';
      return `Delivered${confirmedByText(job)}`;
    case 'failed':
      return `${job.test === 1 ? 'Recorded as not delivered' : 'Not delivered'}${confirmedByText(job)}`;
    case 'cancelled':
      return 'Canceled before it was sent';
    case 'reconciliation_required':
      return 'Unknown: needs confirmation by a person';
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
function confirmedByText({ decided_by_name }: JobRow): string {
  return decided_by_name === null ? '' : `, confirmed by ${decided_by_name}`;
}
