import type { PageForm } from '../../../shared/encoded-pages.ts';
import type { RecipientState } from '../../../shared/states/broadcasts.ts';

type Flag = 0 | 1;

/** One document to many recipients. */
export interface BroadcastTable {
  id: string;
  /** Choice of people: `paused` makes no further faxes, and `cancelled` never makes any. */
  state: 'active' | 'paused' | 'cancelled';
  /** Guards the choice of people. */
  version: number;
  /** Number of changes of the broadcast and of its recipients. */
  changes: number;
  /** Time-ordered ID of the last of them, by which other gateways find it. */
  change_id: string;
  name: string;
  /** Reason why the gateway paused it, as a sentence; null if a person did, and while it is not paused. */
  paused_reason: string | null;
  recipients: number;
  /** Name of the document in the storage; null once no recipient waits for it. */
  artifact: string | null;
  document_name: string;
  document_media_type: string;
  document_sha256: string;
  document_size: number;
  document_pages: number;
  source_digest: string;
  call_seconds: number | null;
  /** JSON: changes to its pages, with the original that is stored beside it; null where there are none. */
  page_edits: string | null;
  /** Form of the pages as it was asked for. */
  page_form: PageForm;
  clean_greys: Flag;
  send_by_call: Flag;
  subject: string | null;
  reference: string | null;
  document_type: string | null;
  /** For which it is sent; null for none. */
  mailbox_id: string | null;
  created_by: string;
  created_by_name: string;
  /** Name in the header line that the sender set for their faxes; null for that of the office. */
  header_name: string | null;
  /** ID of the key or principal whose rights have to last until its faxes are made; null where none are checked. */
  sends_for: string | null;
  /** Person who canceled the rest; null while nobody did. */
  cancelled_by_name: string | null;
  /** No fax is sent after this time; null for no limit. */
  send_by: string | null;
  send_when: 'now' | 'cheap_hours';
  /** Cover page of each fax; null for none. */
  cover_id: string | null;
  /** Its name when the broadcast was made. */
  cover_name: string | null;
  /** JSON: its values before they are merged, by field; null without a cover page. */
  cover_fields: string | null;
  /** Page of that line, where each fax gets it behind its cover page; null where the document has it. */
  opt_out_page: 'first' | 'last' | null;
  /** Line with the way to opt out, as it is printed; null for none. */
  opt_out_line: string | null;
  /** Not begun before this time; null for at once. */
  send_at: string | null;
  /** Idempotency-Key of the request, with its caller; null for none. */
  request_key: string | null;
  created_at: string;
  updated_at: string;
  test: Flag;
  /** Text that a search matches, in lower case. */
  search_text: string;
}

/** A recipient of a broadcast, with at most one fax at a time. */
export interface BroadcastRecipientTable {
  broadcast_id: string;
  /** Counts from 1. */
  position: number;
  /** Line of the list, from 1. */
  line: number;
  /** E.164. */
  to_number: string;
  name: string | null;
  /** JSON: further columns of the list, by their heading. */
  fields: string;
  state: RecipientState;
  /** Sentence on a failure, a hold or a refusal; null for none. */
  reason: string | null;
  /** Its newest fax; null while there is none. */
  fax_id: string | null;
  /** 1 while its failed fax is to be sent again. */
  again: Flag;
  updated_at: string;
}

/** Entry of the history of a broadcast. Append-only. */
export interface BroadcastEventTable {
  broadcast_id: string;
  /** Counts from 1. */
  position: number;
  occurred_at: string;
  actor: string;
  text: string;
}

export interface BroadcastsTables {
  broadcast: BroadcastTable;
  broadcast_recipient: BroadcastRecipientTable;
  broadcast_event: BroadcastEventTable;
}
