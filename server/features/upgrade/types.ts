/** Parts of an upgrade, in their order. A part that was finished is not begun again. */
export const UPGRADE_PARTS = [
  'settings',
  'mailboxes',
  'rules',
  'keys',
  'received',
  'notifications',
  'sent',
  'summary',
] as const;
export type UpgradePart = (typeof UPGRADE_PARTS)[number];

/** Kind of a line that a person should look at. */
type NoteKind =
  | 'unconfirmed'
  | 'key_waits'
  | 'key_changed'
  | 'key_unusable'
  | 'rule_left'
  | 'mailbox_missing'
  | 'not_received'
  | 'odd_value'
  | 'setting'
  | 'setting_removed'
  | 'provider';

/** Line of the report: something that a person should look at. */
export interface UpgradeNote {
  readonly kind: NoteKind;
  /** Id of what it is about; null for the installation. */
  readonly subjectId: string | null;
  readonly text: string;
}

/** Numbers by what was counted. */
export type UpgradeCounts = Readonly<Record<string, number>>;

/** Result of an upgrade, or of a dry run of one. */
export interface UpgradeReport {
  readonly id: string;
  /** For a person, without a password. */
  readonly source: string;
  readonly files: string;
  readonly startedAt: string;
  /** Null for a dry run, and for an upgrade that was interrupted. */
  readonly finishedAt: string | null;
  readonly dryRun: boolean;
  /** True when everything had been moved over before. */
  readonly isRepeated: boolean;
  readonly counts: UpgradeCounts;
  /** Number of lines; `notes` may have the first of them only. */
  readonly noteCount: number;
  readonly notes: readonly UpgradeNote[];
}

/** An upgrade as it is stored. */
export interface UpgradeRun {
  readonly id: string;
  readonly sourceMark: string;
  readonly source: string;
  readonly files: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly part: UpgradePart;
  readonly after: string | null;
  readonly counts: UpgradeCounts;
  readonly notes: number;
}

/** Progress for who waits: rows of a part. */
export interface UpgradeProgress {
  readonly part: UpgradePart;
  readonly done: number;
  readonly total: number;
}

/** Location of an installation of an earlier release. */
export interface EarlierLocation {
  /** Database file, or the address of a PostgreSQL database. */
  readonly from: string;
  /** Folder of its files. */
  readonly files: string;
  /** Its environment file; null to move no settings over. */
  readonly environmentFile: string | null;
}
