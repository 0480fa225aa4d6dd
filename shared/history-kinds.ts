/** The kinds of entries in the history of a sent fax. Entries are never changed or removed. */
export const FAX_HISTORY_KINDS = [
  'accepted',
  'held',
  'released',
  'rescheduled',
  'waiting',
  'submitting',
  'next_step',
  'in_progress',
  'success',
  'failed',
  'cancelled',
  'reconciliation_required',
  'reconciled',
  'not_reached',
  'late_report',
  'about',
] as const;
export type FaxHistoryKind = (typeof FAX_HISTORY_KINDS)[number];

/** The kinds of entries in the evidence of a received fax. */
export const INBOUND_EVIDENCE_KINDS = [
  'notification',
  'listed',
  'imported',
  'internal',
  'direct',
  'document',
  'decoded',
  'not_decoded',
  'attempt',
  'conflict',
  'fetch_again',
  'not_received',
  'moved',
  'junk',
  'not_junk',
  'test',
  'expired',
  'about',
] as const;
export type InboundEvidenceKind = (typeof INBOUND_EVIDENCE_KINDS)[number];

/** The kinds of entries in the history of a work item. */
export const WORK_HISTORY_KINDS = [
  'created',
  'assigned',
  'acknowledged',
  'overdue',
  'escalated',
  'not_escalated',
  'noted',
  'done',
  'reopened',
  'junk',
  'not_junk',
  'undone',
  'moved',
  'pages_missing',
  'exported',
  'about',
  'answered',
  'answer_ended',
] as const;
export type WorkHistoryKind = (typeof WORK_HISTORY_KINDS)[number];
