import type { CallDirection, CallMode, CallOutcome } from '../../../shared/states/telephony.ts';

/** Call with which an image of the telephone engine was first handed over or found, while the image is there. */
interface TelephonyImageTable {
  device: string;
  inode: string;
  sha256: string;
  /** Of the fax: its trunk. */
  account: string;
  call_id: string;
}

/** Ended call over the phone line, kept for CALL_LOG_DAYS. Unreported values are null. */
export interface TelephonyCallTable {
  id: string;
  direction: CallDirection;
  /**
   * Key of the call in the engine: the attempt of the fax, or the engine's own name for the call. Unique for each
   * direction.
   */
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
  /** The engine's own code for the failure. */
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
