interface SettingsRevisionTable {
  id: string;
  generation: number;
  created_at: string;
  actor_id: string | null;
  actor_name: string;
  /** JSON: `[{name, from, to}]`; values of secrets are left out. */
  changes: string;
}

interface SettingTable {
  name: string;
  /** JSON text of the value; sealed when the definition says secret. */
  value: string;
  generation: number;
}

/** One row. */
interface DataKeyProofTable {
  id: number;
  /** Fixed word, sealed with the data key. */
  proof: string;
  made_at: string;
  /** The same word, sealed with the data key that replaces it; null while none does. */
  next_proof: string | null;
  /** Sealed secret of keyed hashes; null where the data key gives it. */
  hash_secret: string | null;
  /** JSON: progress of the replacement; null while there is none. */
  replacement: string | null;
}

export interface SettingsTables {
  data_key_proof: DataKeyProofTable;
  settings_revision: SettingsRevisionTable;
  setting: SettingTable;
}
