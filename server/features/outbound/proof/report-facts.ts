import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import { describeEdits } from '../../../../shared/page-edits.ts';
import { confirmedPages } from '../confirmed-pages.ts';
import { isTerminal } from '../delivery-state.ts';
import { editsOf } from '../kept-original.ts';
import type { OutboundParts } from '../parts.ts';
import { transportOf } from '../plan/transport-of.ts';
import { intakeSentence } from '../queue/send-later.ts';
import { listAttempts } from '../store/attempt-store.ts';
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
import { confirmationsOf } from './confirmations.ts';
import type { AttemptFacts, FirstPage, ReportFacts } from './facts.ts';

type Parts = Pick<OutboundParts, 'db' | 'transports'>;
/** Fax with the related facts that the report names. */
type ReportedFax = Pick<FaxRecord, 'job' | 'attempt' | 'contact' | 'mailbox' | 'resendOf' | 'answers'>;
type SignedFacts = Pick<ReportFacts, 'format' | 'created_at' | 'issuer'>;

/**
 * Reads the facts of a fax. Returns a function that completes them, since page 1 is drawn only later. `signed` are the facts
 * about the report itself.
 */
export async function readFacts(
  parts: Parts,
  reported: ReportedFax,
  signed: SignedFacts,
): Promise<(firstPage: FirstPage) => ReportFacts> {
  const { job, attempt } = reported;
  const [attempts, history] = [
    await listAttempts(parts.db.read, job.id),
    await listHistory(parts.db.read, job.id),
  ];
  const facts = attempts.map((row) => attemptFacts(parts, job, row));
  const receipt = await receiptOf(parts, job, attempt);
  const ended = endOf(job, history);
  const confirmations = confirmationsOf({ job, attempts: facts, receipt, ended });
  const fax = { ...faxFacts(parts, reported, { history, ended }), ...pagesOf(job, attempt) };
  return (first_page) => ({
    ...signed,
    fax: { ...fax, document: { ...documentOf(job), first_page } },
    attempts: facts,
    receipt,
    confirmations,
    history: history.map(({ kind, occurred_at, actor, text }) => ({ kind, occurred_at, actor, text })),
  });
}

function attemptFacts({ transports }: Parts, job: JobRow, row: AttemptRow): AttemptFacts {
  const outcome = {
    ...job,
    delivery_state: row.phase === 'failed' ? ('failed' as const) : job.delivery_state,
  };
  return {
    number: row.number,
    transport: row.transport,
    by: nameOf(row, transports.nameOf(row.backend)),
    reference: row.provider_sid,
    phase: row.phase,
    submitted_at: row.submitted_at,
    completed_at: row.completed_at,
    seconds: row.seconds,
    rate_bps: row.rate_bps,
    pages_confirmed: confirmedPages(outcome, row),
    encoded_pages: row.encoded_pages,
    unreached: row.unreached,
    failure_code: row.failure_code,
  };
}

function nameOf({ transport }: AttemptRow, provider: string): string {
  switch (transport) {
    case 'line':
      return 'own phone line';
    case 'own_number':
      return 'this installation';
    case 'direct':
      return 'the partner’s installation';
    case 'test':
      return 'nobody (test)';
    case 'provider':
      return provider;
    default:
      return transport satisfies never;
  }
}

function faxFacts(
  { transports }: Parts,
  { job, attempt, contact, mailbox, resendOf, answers }: ReportedFax,
  { history, ended }: { history: readonly HistoryEvent[]; ended: HistoryEvent | undefined },
): Omit<ReportFacts['fax'], 'document' | 'pages_confirmed' | 'encoded_pages'> {
  const { id, kind, subject, reference, document_type, case_id, delivery_state, delivered_by } = job;
  const accepted = history.find((event) => event.kind === 'accepted');
  return {
    id,
    kind,
    test: job.test === 1,
    to: job.to_number,
    recipient: contact?.name ?? null,
    subject,
    reference,
    document_type,
    mailbox,
    case_id,
    case_documents: packetOf(job).length,
    cover: coverOf(job)?.name ?? null,
    pages_changed: pageChangesOf(job),
    sent_by: job.created_by_name,
    header_name: isInternal(job) || isDirect(job) ? null : job.header_name,
    intake: accepted ? intakeSentence(accepted.text) : null,
    accepted_at: job.created_at,
    sends_again: resendOf,
    answers: answers === null ? null : { from: answers.from, received_at: answers.receivedAt },
    provider: transports.nameOf(job.backend),
    provider_id: job.provider_sid,
    delivery_state,
    delivered_by,
    error: delivery_state === 'cancelled' ? null : job.error,
    warning: arrivalWarning(job, attempt),
    decision: job.decided_by_name === null ? null : { by: job.decided_by_name, note: job.decided_note },
    ended: ended ? { at: ended.occurred_at, kind: ended.kind, by: ended.actor } : null,
  };
}

function pageChangesOf(job: JobRow) {
  const edits = editsOf(job);
  if (edits === null) return null;
  return { text: describeEdits(edits), original_sha256: edits.original.sha256 };
}

function pagesOf(job: JobRow, attempt: AttemptRow | null) {
  return {
    pages_confirmed: attempt === null ? null : confirmedPages(job, attempt),
    encoded_pages: attempt?.encoded_pages ?? null,
  };
}

const documentOf = (job: JobRow) => ({
  name: job.document_name,
  sha256: job.document_sha256,
  size_bytes: job.document_size,
  pages: job.document_pages,
});

/** Lists the facts of the signed receipt; empty for a fax that did not go directly. */
async function receiptOf(
  { transports }: Parts,
  job: JobRow,
  attempt: AttemptRow | null,
): Promise<readonly ReceiptFact[]> {
  if (!isDirect(job) || attempt === null || job.provider_sid === null) return [];
  const { transport: kind, backend } = attempt;
  const { describeReceipt } = transportOf({ transports }, [job], { kind, backend });
  return (await describeReceipt?.(job.provider_sid)) ?? [];
}

/** Returns the history entry that ended the fax; undefined before its end, or where no entry records it. */
function endOf(job: JobRow, history: readonly HistoryEvent[]): HistoryEvent | undefined {
  if (!isTerminal(job.delivery_state)) return undefined;
  return history.findLast(({ kind }) => END_KINDS.includes(kind));
}

const END_KINDS: readonly FaxHistoryKind[] = ['success', 'failed', 'cancelled', 'reconciled'];
