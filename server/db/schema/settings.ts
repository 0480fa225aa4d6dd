export interface SettingsRevisionTable {
  id: string;
  generation: number;
  created_at: string;
  actor_id: string | null;
  actor_name: string;
  /** JSON: `[{name, from, to}]`; values of secrets are left out. */
  changes: string;
}

export interface SettingTable {
  name: string;
  /** JSON text of the value; sealed when the definition says secret. */
  value: string;
  generation: number;
}

export interface SettingsTables {
  settings_revision: SettingsRevisionTable;
  setting: SettingTable;
}
