/** Upgrade from an earlier release: where it stands, so that it continues after an interruption. */
interface UpgradeRunTable {
  id: string;
  /** Identifies the database with its contents: another one, or one that was changed, is another run. */
  source_mark: string;
  /** For a person, without a password. */
  source: string;
  files: string;
  started_at: string;
  /** Null while it is under way or was interrupted. */
  finished_at: string | null;
  /** Part that is under way. */
  part: string;
  /** Key of the last row of that part that was moved over; null before the first. */
  after_key: string | null;
  /** JSON: number by what was counted. */
  counts: string;
  notes: number;
}

/** Line of its report: something that a person should look at. */
interface UpgradeNoteTable {
  run_id: string;
  /** Counts from 1. */
  position: number;
  kind: string;
  /** Id of what it is about; null for the installation. */
  subject_id: string | null;
  text: string;
}

export interface UpgradeTables {
  upgrade_run: UpgradeRunTable;
  upgrade_note: UpgradeNoteTable;
}
