import type { CallDirection, CallMode, CallOutcome } from '../../../shared/states.ts';

/** Which call an image of the telephone engine was first handed over or found with, while the image is there. */
export interface TelephonyImageTable {
  device: string;
  inode: string;
  sha256: string;
  /** Of the fax: its trunk. */
  account: string;
  call_id: string;
}

/** A call over the phone line that has ended; kept for CALL_LOG_DAYS. What nobody told is null. */
export interface TelephonyCallTable {
  id: string;
  direction: CallDirection;
  /** What the engine knows it by: the attempt of the fax, or what it named the call itself. Of each direction one. */
  call_key: string;
  version: number;
  recorded_at: string;
  started_at: string | null;
  answered_at: string | null;
  ended_at: string | null;
  /** Of the other side, E.164. */
  number: string | null;
  own_number: string | null;
  /** The account of the trunk. */
  line: string | null;
  outcome: CallOutcome;
  /** For a person. */
  sentence: string;
  /** Q.850. */
  cause: number | null;
  sip_status: number | null;
  /** What the engine calls the failure. */
  failure_code: string | null;
  mode: CallMode | null;
  ecm: 0 | 1 | null;
  rate_bps: number | null;
  resolution: string | null;
  pages_sent: number | null;
  pages_confirmed: number | null;
  /** A hint, never an identity. */
  station_id: string | null;
  /** JSON: the ids of the faxes that it carried, in the order of their pages. */
  sent_fax_ids: string;
  received_fax_id: string | null;
}

export interface TelephonyTables {
  telephony_image: TelephonyImageTable;
  telephony_call: TelephonyCallTable;
}
