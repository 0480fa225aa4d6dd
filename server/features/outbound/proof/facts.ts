import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import type { AttemptPhase, DeliveryState, FaxKind } from '../../../../shared/states/outbound.ts';
import type { HistoryEvent } from '../store/history-store.ts';
import type { ReceiptFact, TransportKind } from '../transport-port.ts';
import type { AttemptRow, JobRow } from '../types.ts';

export const REPORT_FORMAT = 'faxdesk-report-1';

/** Page 1 in the report: shown, or the reason why it is not. */
export type FirstPage = 'shown' | 'not_kept' | 'unreadable';

/** Attempt to deliver a fax. Times are ISO 8601 UTC. */
export interface AttemptFacts {
  readonly number: number;
  readonly transport: TransportKind;
  /** Name of the provider; that of the own line or installation for others. */
  readonly by: string;
  /** ID of the fax there; null for none. */
  readonly reference: string | null;
  readonly phase: AttemptPhase;
  readonly submitted_at: string | null;
  readonly completed_at: string | null;
  readonly seconds: number | null;
  readonly rate_bps: number | null;
  /** Pages that certainly arrived; null while unknown. */
  readonly pages_confirmed: number | null;
  readonly encoded_pages: number | null;
  readonly unreached: AttemptRow['unreached'];
  readonly failure_code: string | null;
}

/** Statement about the delivery of a fax, and who made it. */
export interface Confirmation {
  /** Kind of the one who made it: a provider, the machine that answered on the phone line, a signed receipt, this installation or a person. */
  readonly kind: 'provider' | 'line' | 'receipt' | 'installation' | 'person';
  readonly by: string;
  /** ISO 8601 UTC; null where none was recorded. */
  readonly at: string | null;
  readonly text: string;
}

/** Facts of one fax, as a report states and signs them. Times are ISO 8601 UTC. */
export interface ReportFacts {
  readonly format: typeof REPORT_FORMAT;
  readonly created_at: string;
  readonly issuer: {
    readonly organization: string | null;
    readonly fax_number: string | null;
    readonly key_fingerprint: string;
    /** PEM. */
    readonly public_key: string;
  };
  readonly fax: {
    readonly id: string;
    readonly kind: FaxKind;
    readonly test: boolean;
    readonly to: string;
    readonly recipient: string | null;
    readonly subject: string | null;
    readonly reference: string | null;
    readonly document_type: string | null;
    readonly mailbox: string | null;
    readonly case_id: string | null;
    readonly case_documents: number;
    /** Name of its cover page; null for none. */
    readonly cover: string | null;
    /** Changes of its pages, and the fingerprint of the original; null where they were sent as they were. */
    readonly pages_changed: { readonly text: string; readonly original_sha256: string } | null;
    readonly sent_by: string;
    /** Name in the header line that the sender had set; null for that of the office, and where no line is printed. */
    readonly header_name: string | null;
    /** Sentence about the channel by which it came in; null for a request. */
    readonly intake: string | null;
    readonly accepted_at: string;
    readonly sends_again: string | null;
    /** Received fax that it answers; null for none, and for one that the reader of the report may not see. */
    readonly answers: { readonly from: string | null; readonly received_at: string } | null;
    readonly provider: string;
    readonly provider_id: string | null;
    readonly delivery_state: DeliveryState;
    readonly delivered_by: JobRow['delivered_by'];
    readonly error: string | null;
    readonly warning: string | null;
    readonly decision: { readonly by: string; readonly note: string | null } | null;
    readonly ended: { readonly at: string; readonly kind: FaxHistoryKind; readonly by: string } | null;
    readonly pages_confirmed: number | null;
    readonly encoded_pages: number | null;
    readonly document: {
      readonly name: string;
      readonly sha256: string;
      readonly size_bytes: number;
      readonly pages: number;
      readonly first_page: FirstPage;
    };
  };
  readonly attempts: readonly AttemptFacts[];
  readonly receipt: readonly ReceiptFact[];
  readonly confirmations: readonly Confirmation[];
  readonly history: readonly HistoryEvent[];
}
