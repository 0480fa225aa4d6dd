import type { z } from 'zod';
import type { InboundEvidence, InboundFax } from '../../../../shared/api/inbound-shapes.ts';
import { UNKNOWN_NUMBER } from '../../../../shared/api/inbound-shapes.ts';
import { INBOUND_STATUS_TEXT } from '../../../../shared/states/inbound.ts';
import type { InboundEvidenceTable } from '../../../db/schema/inbound.ts';
import type { ContactName } from '../../contacts/types.ts';
import type { SentAnswer } from '../../outbound/service.ts';
import { decodeSentence } from '../decoding/decode-words.ts';
import type { OriginalRow } from '../store/original-store.ts';
import type { FaxRow } from '../types.ts';
import { turnedPages } from './turns.ts';

export type InboundAnswer = z.infer<typeof InboundFax>;

/** Values that a row does not hold. */
interface RelatedValues {
  readonly labels: ReadonlyMap<string, string>;
  readonly readAt: string | null;
  /** The caller may open the document. */
  readonly mayOpen: boolean;
  /** Id in the work queue; null for none, or for a caller who may not see it. */
  readonly workItemId: string | null;
  /** Contact of the sender's number; null also for a caller who may not see contacts. */
  readonly contact: ContactName | null;
  /** Document that its pages carry; undefined for ordinary pages. */
  readonly original: OriginalRow | undefined;
  /** Sent faxes that answer it, newest first, of those that the caller may read. */
  readonly answers: readonly SentAnswer[];
  /** The open legal holds that cover it. */
  readonly legalHolds: readonly { readonly id: string; readonly name: string }[];
}

export function presentFax(
  row: FaxRow,
  { labels, readAt, mayOpen, workItemId, contact, original, answers, legalHolds }: RelatedValues,
): InboundAnswer {
  const isReceived = row.status === 'received';
  return {
    id: row.id,
    fr: row.from_number ?? UNKNOWN_NUMBER,
    contact,
    to: row.to_number ?? UNKNOWN_NUMBER,
    status: row.status,
    status_text: INBOUND_STATUS_TEXT[row.status],
    backend: row.backend,
    pages: row.pages ?? row.reported_pages,
    size_bytes: row.size_bytes,
    created_at: row.received_at,
    received_at: row.received_at,
    updated_at: row.updated_at,
    mailbox: row.mailbox_id === null ? null : (labels.get(row.mailbox_id) ?? null),
    source_received_at: row.source_received_at,
    provider_fax_id: row.provider_fax_id,
    provider_account: row.provider_account,
    source_system: row.source_system,
    sha256: row.sha256,
    media_type: row.media_type,
    is_test: row.is_test === 1,
    retry_at: row.retry_at,
    problem: row.problem,
    can_fetch_again: !isReceived,
    recovered: row.recovered === 1,
    to_inferred: row.to_inferred === 1,
    conflicts: row.conflicts,
    incomplete: row.incomplete === 1,
    may_open: mayOpen,
    document_kept: row.document !== null,
    decode: presentDecode(original),
    subject: row.subject,
    reference: row.reference,
    document_type: row.document_type,
    answered_by: answers.map(presentAnswer),
    legal_holds: legalHolds.map(({ id, name }) => ({ id, name })),
    work_item_id: workItemId,
    read_at: readAt,
    turned_pages: turnedPages(row),
    junk: row.junk === 1,
    test: row.test === 1,
    version: row.version,
  };
}

function presentAnswer({
  id: fax_id,
  to,
  state: delivery_state,
  createdAt: created_at,
  by,
}: SentAnswer): InboundAnswer['answered_by'][number] {
  return { fax_id, to, delivery_state, created_at, by };
}

function presentDecode(original: OriginalRow | undefined): InboundAnswer['decode'] {
  if (!original || original.state === null) return null;
  const { state, document_name, sha256, size_bytes, document } = original;
  const sentence = decodeSentence(original, state);
  return { state, sentence, document_name, sha256, size_bytes, document_kept: document !== null };
}

export function presentEvidence(rows: readonly InboundEvidenceTable[]): z.infer<typeof InboundEvidence> {
  return {
    items: rows.map(({ fax_id: _fax, position: _position, notification, ...row }) => ({
      ...row,
      notification: notification === null ? null : (JSON.parse(notification) as unknown),
    })),
  };
}
