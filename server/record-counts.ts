/** Counts of an installation. */
export type RecordKind = 'faxes' | 'received_faxes' | 'work_items' | 'email_deliveries';

/** Counts the records of a kind by state; a state without records may be left out. Each reads one index. */
export type RecordCounts = Readonly<Record<RecordKind, () => Promise<Readonly<Record<string, number>>>>>;
