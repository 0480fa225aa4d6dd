import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createDocuments,
  DocumentError,
  type DocumentSource,
  type Documents,
  type DocumentsOptions,
  type PreparedDocument,
} from '../../server/documents/documents.ts';

/** A folder and a document pool for one test file. */
export interface Workspace {
  folder: string;
  documents: Documents;
  /** Writes a file into the folder and returns its path. */
  file(name: string, content: Uint8Array | string): string;
  /** Prepares files of the folder into `name`. */
  prepare(paths: string[], name?: string, maxBytes?: number): Promise<PreparedDocument>;
  /** The refusal of a preparation; fails when there is none. */
  refusal(paths: string[], maxBytes?: number): Promise<DocumentError>;
  close(): Promise<void>;
}

export function sourceOf(path: string, fileName = path.split('/').at(-1)!): DocumentSource {
  return { path, fileName, declaredType: null };
}

export function openWorkspace(options: Partial<DocumentsOptions> = {}): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-documents-'));
  const documents = createDocuments({ threads: 1, folders: [folder], ...options });
  const prepare: Workspace['prepare'] = async (paths, name = 'prepared.pdf', maxBytes = 25 * 1024 * 1024) =>
    await documents.prepare(
      paths.map((path) => sourceOf(path)),
      join(folder, name),
      { maxBytes },
    );
  return {
    folder,
    documents,
    prepare,
    file: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    refusal: async (paths, maxBytes) => {
      const outcome: unknown = await prepare(paths, 'refused.pdf', maxBytes).catch((error: unknown) => error);
      if (outcome instanceof DocumentError) return outcome;
      throw new Error(`not refused: ${JSON.stringify(outcome)} ${String(outcome)}`);
    },
    close: async () => {
      await documents.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
