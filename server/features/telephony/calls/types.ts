import type { TelephonyCallTable } from '../../../db/schema/telephony.ts';

export type CallRow = TelephonyCallTable;

/** Call as reported; the log adds the other fields. */
export type ReportedCall = Omit<CallRow, 'id' | 'version' | 'recorded_at'>;

/** Fields of a call without a report. */
export const UNKNOWN = {
  started_at: null,
  answered_at: null,
  ended_at: null,
  number: null,
  own_number: null,
  line: null,
  cause: null,
  sip_status: null,
  failure_code: null,
  mode: null,
  ecm: null,
  rate_bps: null,
  resolution: null,
  pages_sent: null,
  pages_confirmed: null,
  station_id: null,
  sent_fax_ids: '[]',
  received_fax_id: null,
} as const satisfies Partial<ReportedCall>;
