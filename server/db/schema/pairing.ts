/** The one code of a person who pairs a device. */
export interface PairingCodeTable {
  /** Person whose permissions the device gets a part of; a new code of theirs replaces this one. */
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
