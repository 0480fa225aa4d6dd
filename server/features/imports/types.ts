import type { ImportTable } from '../../db/schema/imports.ts';
import type { DocumentContent } from '../../documents/documents.ts';
import type { DocumentDigest } from '../inbound/types.ts';

export type ImportRow = ImportTable;

/** What names an import; `revision` is empty for none. */
export type ImportIdentity = Pick<ImportRow, 'account' | 'operation_id' | 'revision'>;

/** What another system tells of a document, checked. */
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
  /** As it came. */
  readonly told: Readonly<Record<string, unknown>>;
}

/** A document that is handed over, hashed. */
export interface ImportFile extends DocumentDigest {
  readonly content: DocumentContent;
  /** As the other system calls it. */
  readonly name: string;
}

/** On whose account a document is imported. */
export interface Importer {
  /** Of the identity: a principal, or the import folder. */
  readonly account: string;
  /** As evidence and history name it. */
  readonly name: string;
  readonly checkedBy: 'credential' | 'folder';
  /** How the document came, as one sentence for its evidence. */
  describe(manifest: Manifest, fileName: string): string;
  /** Whether it may file a document in a mailbox, or in none. */
  mayFileIn(mailboxId: string | null): boolean;
}

export interface ImportOutcome {
  readonly importId: string;
  readonly inboundId: string;
  readonly status: 'received' | 'duplicate';
}

/** An import as rooms beside this one are told of it. */
export interface ImportRecord {
  readonly id: string;
  readonly sourceSystem: string;
  readonly operationId: string;
  readonly revision: string | null;
  readonly sha256: string;
  readonly importedAt: string;
}
