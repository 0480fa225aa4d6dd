import type { FaxHistoryKind, InboundEvidenceKind, WorkHistoryKind } from '../../shared/history-kinds.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Tone } from '../ui/state-word.tsx';

export interface HistorySign {
  readonly icon: IconName;
  readonly tone: Tone;
}

const plain = (icon: IconName): HistorySign => ({ icon, tone: 'plain' });

/** The sign before each entry in the history of a sent fax; the entry itself is a sentence. */
export const FAX_HISTORY_SIGNS: Readonly<Record<FaxHistoryKind, HistorySign>> = {
  accepted: plain('check'),
  held: plain('pause'),
  released: plain('send'),
  rescheduled: plain('clock'),
  waiting: plain('clock'),
  submitting: plain('going'),
  next_step: plain('undo'),
  in_progress: plain('going'),
  success: { icon: 'ok', tone: 'ok' },
  failed: { icon: 'alert', tone: 'danger' },
  cancelled: plain('close'),
  reconciliation_required: { icon: 'question', tone: 'warn' },
  reconciled: plain('person'),
  not_reached: plain('clock'),
  late_report: plain('info'),
  about: plain('note'),
};

/** The same for the evidence of a received fax. */
export const EVIDENCE_SIGNS: Readonly<Record<InboundEvidenceKind, HistorySign>> = {
  notification: plain('bell'),
  listed: plain('inbox'),
  imported: plain('inbox'),
  internal: plain('inbox'),
  direct: plain('inbox'),
  document: { icon: 'ok', tone: 'ok' },
  decoded: { icon: 'file', tone: 'ok' },
  not_decoded: { icon: 'file', tone: 'warn' },
  attempt: plain('clock'),
  conflict: { icon: 'warn', tone: 'warn' },
  fetch_again: plain('refresh'),
  not_received: { icon: 'alert', tone: 'danger' },
  test: plain('info'),
  moved: plain('inbox'),
  junk: plain('block'),
  not_junk: plain('inbox'),
  expired: plain('file'),
  about: plain('note'),
};

/** The same for the history of a work item. */
export const WORK_HISTORY_SIGNS: Readonly<Record<WorkHistoryKind, HistorySign>> = {
  created: plain('inbox'),
  assigned: plain('person'),
  acknowledged: { icon: 'ok', tone: 'ok' },
  overdue: { icon: 'late', tone: 'danger' },
  escalated: { icon: 'flag', tone: 'danger' },
  not_escalated: { icon: 'warn', tone: 'warn' },
  noted: plain('note'),
  done: { icon: 'check', tone: 'ok' },
  reopened: plain('undo'),
  junk: plain('block'),
  not_junk: plain('inbox'),
  undone: plain('undo'),
  moved: plain('inbox'),
  pages_missing: { icon: 'warn', tone: 'warn' },
  exported: plain('download'),
  about: plain('note'),
  answered: plain('send'),
  answer_ended: plain('send'),
};
