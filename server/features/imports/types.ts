import type { ImportTable } from '../../db/schema/imports.ts';
import type { DocumentContent } from '../../documents/documents.ts';
import type { DocumentDigest } from '../inbound/types.ts';

export type ImportRow = ImportTable;

/** Identity of an import; `revision` is empty for none. */
export type ImportIdentity = Pick<ImportRow, 'account' | 'operation_id' | 'revision'>;

/** Validated manifest of a document from another system. */
export interface Manifest {
  readonly sourceSystem: string;
  readonly operationId: string;
  /** Empty for none. */
  readonly revision: string;
  /** ISO 8601 UTC. */
  readonly sourceReceivedAt: string | null;
  /** E.164, or `+` with digits. */
  readonly to: string | null;
  readonly from: string | null;
  readonly pages: number | null;
  /** As received. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A document that is handed over, hashed. */
export interface ImportFile extends DocumentDigest {
  readonly content: DocumentContent;
  /** File name in the other system. */
  readonly name: string;
}

/** Account on which a document is imported. */
export interface Importer {
  /** Account of the identity: a principal, or the import folder. */
  readonly account: string;
  /** Name in evidence and history. */
  readonly name: string;
  readonly checkedBy: 'credential' | 'folder';
  /** Describes the import of the document as one sentence for its evidence. */
  describe(manifest: Manifest, fileName: string): string;
  /** Returns true when the importer may file a document in the mailbox (null for none). */
  mayFileIn(mailboxId: string | null): boolean;
}

export interface ImportOutcome {
  readonly importId: string;
  readonly inboundId: string;
  readonly status: 'received' | 'duplicate';
}

/** Record of an import for other rooms. */
export interface ImportRecord {
  readonly id: string;
  readonly sourceSystem: string;
  readonly operationId: string;
  readonly revision: string | null;
  readonly sha256: string;
  readonly importedAt: string;
}
