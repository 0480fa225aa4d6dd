/** The one code of somebody who pairs a device. */
export interface PairingCodeTable {
  /** Whose rights the device gets a part of; a new code of theirs takes this one's place. */
  principal_id: string;
  /** The key they came with, or their session began with. */
  key_id: string | null;
  maker_name: string;
  /** HMAC: six digits would be found from a plain hash. */
  code_hash: string;
  device_name: string | null;
  expires_at: string;
}

export interface PairingTables {
  pairing_code: PairingCodeTable;
}
