import type { ReadDb, WriteTx } from '../../db/database.ts';

/** A document that another system handed over, as it was recorded. */
export interface ImportRecord {
  readonly id: string;
  readonly sourceSystem: string;
  /** Id of the document in the source system. */
  readonly operationId: string;
  /** Null for none. */
  readonly revision: string | null;
  readonly sha256: string;
  /** ISO 8601 UTC. */
  readonly importedAt: string;
}

/** Import records of documents, implemented by the room of imports. */
export interface ImportRecords {
  /** Null for a received fax that was not imported. Works inside a transaction. */
  find(db: ReadDb, inboundFaxId: string): Promise<ImportRecord | null>;
}

/** Work item that was not acknowledged by its due time. */
interface OverdueItem {
  readonly id: string;
  /** Of the received fax. */
  readonly faxId: string;
}

/** Owned here, filled by a higher room that announces overdue items to programs. */
export interface OverdueListener {
  /** Runs once for each item, in the transaction that records that it is overdue. Queries only. */
  passed(tx: WriteTx, item: OverdueItem): Promise<void>;
}
