import type { PrintState } from '../../../shared/states/print-rules.ts';

type Flag = 0 | 1;

/** Rule that prints received faxes. */
export interface PrintRuleTable {
  id: string;
  name: string;
  /** Null for the faxes of all mailboxes. */
  mailbox_id: string | null;
  /** Spans of a week, as JSON; null for always. */
  hours: string | null;
  /** Name of the printer for people. */
  printer: string;
  /** Address of the printer, `ipp://` or `ipps://`. */
  printer_url: string;
  enabled: Flag;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A received fax that a rule prints, once. It outlives the rule. */
export interface PrintoutTable {
  id: string;
  fax_id: string;
  rule_id: string;
  rule_name: string;
  /** Name of the printer, as the rule had it last. */
  printer: string;
  /** Address that the pages went to; null before the first submission. A search for the job asks this address. */
  printer_url: string | null;
  state: PrintState;
  version: number;
  /** Problem that prevents its printing, or limit of what is known. */
  problem: string | null;
  /** Attempts at which the printer did not print, since the last beginning. */
  failures: number;
  retry_at: string | null;
  /** Name of the job at the printer, another one for each submission. */
  job_name: string;
  /** Number that the printer gave the job; null until its answer arrived. */
  printer_job: number | null;
  /** Of the fax, as it was filed; the mailbox where it is now. */
  mailbox_id: string | null;
  from_number: string | null;
  to_number: string | null;
  pages: number;
  is_test: Flag;
  /** Beginning of the last submission. */
  submitted_at: string | null;
  /** Seconds since the printer was switched on, at the same moment; null where it did not report them. */
  printer_up_time: number | null;
  printed_at: string | null;
  recorded_at: string;
  updated_at: string;
}

export interface PrintRulesTables {
  print_rule: PrintRuleTable;
  printout: PrintoutTable;
}
