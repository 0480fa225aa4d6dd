import type { Backend } from '../../../shared/backends.ts';
import type { PageForm } from '../../../shared/encoded-pages.ts';
import type { FaxHistoryKind } from '../../../shared/history-kinds.ts';
import type { SendWhen } from '../../../shared/send-when.ts';
import type {
  AttemptPhase,
  DeliveryState,
  DispatchMode,
  ErrorCategory,
  FaxKind,
  Unreached,
  WaitsFor,
} from '../../../shared/states/outbound.ts';

type Flag = 0 | 1;

export interface FaxJobTable {
  id: string;
  kind: FaxKind;
  to_number: string;
  delivery_state: DeliveryState;
  dispatch_mode: DispatchMode;
  delivery_version: number;
  reconciliation_reason: string | null;
  /** One sentence for a person, null while nothing went wrong. */
  error: string | null;
  backend: Backend;
  provider_sid: string | null;
  pages: number | null;
  created_at: string;
  updated_at: string;
  document_name: string;
  document_media_type: string;
  document_sha256: string;
  document_size: number;
  document_pages: number;
  /** Fingerprint of the files it was made of, as they were sent; null for faxes of earlier releases. */
  source_digest: string | null;
  /** Name in the storage, null once the artifact was cleaned up. */
  artifact: string | null;
  /** Sealed JSON: the steps that the fax captured at acceptance. */
  plan: string;
  plan_steps: number;
  account_id: string;
  /** The delivery route of the step that is or was last taken, and which rule chose it; null where no route did. */
  route_id: string | null;
  route_name: string | null;
  route_reason: string | null;
  queue_only: Flag;
  send_now: Flag;
  urgent: Flag;
  send_by_call: Flag;
  resend_of: string | null;
  /** Received fax that it answers; null for none. */
  answers: string | null;
  /** The fax that tries again after a busy or unanswered number; set once. */
  tried_again_as: string | null;
  /** Number of automatic tries again before this fax. */
  automatic_tries: number;
  /** The case whose documents it has; null for other faxes. */
  case_id: string | null;
  /** JSON of the documents of a case packet, in order; null for other faxes, and where only some of its pages were sent again. */
  packet: string | null;
  /** JSON of the cover page as it was printed; null for none, and where only later pages were sent again. */
  cover: string | null;
  /** The broadcast that it belongs to; null for other faxes. */
  broadcast_id: string | null;
  /** JSON of the changes to its pages, in numbers, with the facts of the original; null where it is sent as it was. */
  page_edits: string | null;
  /** For which it was sent; null for none. */
  mailbox_id: string | null;
  created_by: string;
  created_by_name: string;
  /** Name in the header line that the sender had set for their faxes; null for that of the office. */
  header_name: string | null;
  delivered_by: 'provider' | 'internal' | 'direct' | 'test' | null;
  /**
   * Person who decided the outcome after asking the recipient, and their note; null where the transport reported it.
   */
  decided_by_name: string | null;
  decided_note: string | null;
  /** Time to ask a person again whether it arrived, because the recipient could not be reached; null for now. */
  ask_again_at: string | null;
  /** Estimated duration of its call, from its preview; null where the preview of every page was not seen. */
  call_seconds: number | null;
  /** Not sent before this time. */
  send_at: string | null;
  /** No attempt begins at this time or later; null for no limit. */
  send_by: string | null;
  /** Hours in which an attempt may begin. */
  send_when: SendWhen;
  /** Begin of the hours that it waits for, and a sentence about them; both null while it waits for none. */
  hours_at: string | null;
  hours_reason: string | null;
  /** Reason why a due fax waits; null for none, or none found yet. */
  waits_for: WaitsFor | null;
  /** Reason why a spending limit holds it, as a sentence; null while none does. */
  held_reason: string | null;
  /** Sentence, without advice, that an earlier attempt was or may have been delivered. Null for none. */
  arrival_warning: string | null;
  /** Of that warning: the transport showed the whole document delivered. */
  arrival_proved: Flag;
  /** Somebody let it go past a spending limit: none holds it again. */
  over_limit: Flag;
  /** Time at which it leaves in one call with the faxes that also wait for its number; null where it waits for none. */
  together_at: string | null;
  clean_greys: Flag;
  /** Form of the pages as it was asked for with the fax. */
  page_form: PageForm;
  /** Form in which its encoded pages carry the document; all of these are null where calls send ordinary pages. */
  encoded_mode: 'plain' | 'encrypted' | null;
  /** Facts of the PDF of those pages, which is stored beside the document. */
  encoded_sha256: string | null;
  encoded_size: number | null;
  encoded_pages: number | null;
  /** Estimated duration of the call that sends them. */
  encoded_seconds: number | null;
  /** 1 for a test fax: it is handed to nobody, and is in no list of people unless they ask for it. */
  test: Flag;
  /** JSON: one text per file, or an empty list. */
  titles: string;
  /** Description by people: one line each, null for none. */
  subject: string | null;
  reference: string | null;
  document_type: string | null;
  /** Last change of those three; `updated_at` stays the time of what happened to the fax. Null for none. */
  described_at: string | null;
  /** Text that a search matches, in lower case. */
  search_text: string;
}

export interface FaxAttemptTable {
  id: string;
  job_id: string;
  number: number;
  /** Of the plan, counted from 1. */
  step: number;
  transport: 'provider' | 'line' | 'own_number' | 'direct' | 'test';
  backend: Backend;
  phase: AttemptPhase;
  provider_account: string;
  /** The delivery route of its step; null where no route chose it. */
  route_id: string | null;
  route_name: string | null;
  route_reason: string | null;
  provider_sid: string | null;
  submitted_at: string | null;
  completed_at: string | null;
  pages_sent: number | null;
  seconds: number | null;
  rate_bps: number | null;
  error_category: ErrorCategory | null;
  unreached: Unreached | null;
  /** The transport's own code for the failure; null unless it reported one. */
  failure_code: string | null;
  /** The exact public callback address of this attempt; null when there is none. */
  callback_url: string | null;
  /** Result of the callback; null while it may still come, or was never requested. */
  callback_result: 'heard' | 'missed' | null;
  /** Since when the step is tried again, because the transport takes nothing; null while it does. */
  waiting_since: string | null;
  /** Until then the transport asked us to wait; null when it named no time. */
  retry_at: string | null;
  /**
   * True when nothing follows automatically, whatever the outcome: a person was asked to confirm it or wanted it
   * stopped, or its store was restored meanwhile.
   */
  ends_here: Flag;
  /** The call that it is made in; null where calls are not counted, and once it was put back. */
  call_id: string | null;
  /** Of a call with several faxes: where the document begins in its pages, counted from 1, and how many they are. */
  call_first_page: number | null;
  call_pages: number | null;
  /** Number of encoded pages that it sends; null for ordinary pages. */
  encoded_pages: number | null;
  /**
   * Settings that its call left out, by the line memory of the number; null before, and where no line of ours carries
   * it.
   */
  without_t38: Flag | null;
  without_ecm: Flag | null;
  most_rate_bps: number | null;
  /** Time at which the result of its call was added to the line memory, once; null before, and where there was none. */
  learned_at: string | null;
}

/** Append-only. */
interface FaxHistoryTable {
  id: string;
  job_id: string;
  /** Counts from 1 in the order of recording; neither the time nor the id keeps it when the clock is set back. */
  position: number;
  kind: FaxHistoryKind;
  occurred_at: string;
  actor: string;
  text: string;
}

export interface FaxRequestTable {
  /** Sender, and the Idempotency-Key. */
  caller_id: string;
  idempotency_key: string;
  /** The number as it was written, sealed. */
  to_text: string;
  /** Of the settings. */
  fingerprint: string;
  /** Of the files as they were sent. */
  document_fingerprint: string;
  /** The preview that had the files; null when they came with the request. */
  preview_id: string | null;
  /** Id or label as it was named; null when none was. */
  mailbox: string | null;
  job_id: string;
  created_at: string;
}

interface FaxLinkTable {
  token_hash: string;
  job_id: string;
  expires_at: string;
}

/** A fax that failed, as long as its sender has not opened it since. */
interface FaxUnseenFailureTable {
  created_by: string;
  job_id: string;
}

/** Facts about a number for which faxes were accepted. */
export interface FaxNumberTable {
  to_number: string;
  last_used_at: string;
  last_success_at: string | null;
  uses: number;
}

/** A call on a line of ours or with several faxes, until nothing about it is open. */
export interface FaxCallTable {
  id: string;
  /** Owner of the line: an account or a delivery route. */
  lines_of: string;
  to_number: string;
  /** The fax whose dispatch makes the call. */
  lead_job_id: string;
  /** Name in the storage of what a call with several faxes sends; null for one fax. */
  artifact: string | null;
  /** Time at which its line was free again; null while it goes on. */
  ended_at: string | null;
}

/** A fax whose time has come and that waits for a line. */
export interface FaxLineWaitTable {
  job_id: string;
  /** Owner of the lines: an account or a delivery route. */
  lines_of: string;
  to_number: string;
  /** The lowest goes first. An ISO time: since when it waits, long before that for an urgent one. */
  rank: string;
  /** Number of lines. */
  lines: number;
  /** Of the job that sends it. */
  dispatch_key: string;
  /** Time at which its job was made due because a line is free; null while there is none. */
  called_at: string | null;
}

/** A fax that was removed with an archive. */
interface RemovedSentFaxTable {
  fax_id: string;
  /** Archive that has it. */
  year: number;
  /** Null for that of the whole year. */
  month: number | null;
  removed_at: string;
}

export interface OutboundTables {
  fax_removed: RemovedSentFaxTable;
  fax_job: FaxJobTable;
  fax_attempt: FaxAttemptTable;
  fax_history: FaxHistoryTable;
  fax_request: FaxRequestTable;
  fax_link: FaxLinkTable;
  fax_number: FaxNumberTable;
  fax_unseen_failure: FaxUnseenFailureTable;
  fax_call: FaxCallTable;
  fax_line_wait: FaxLineWaitTable;
}
