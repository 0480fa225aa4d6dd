/** What is counted of an installation. */
export type RecordKind = 'faxes' | 'received_faxes' | 'work_items' | 'email_deliveries';

/** How many records of a kind there are, by state; a state that none is in may be left out. Each reads one index. */
export type RecordCounts = Readonly<Record<RecordKind, () => Promise<Readonly<Record<string, number>>>>>;
