import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_BYTES } from '../../../../shared/api/imports.ts';
import { INVISIBLE_CHARACTERS } from '../../../../shared/visible-text.ts';
import { fileDigest } from '../../../platform/hash.ts';
import { newId } from '../../../platform/ids.ts';
import type { TakeOutcome } from '../../../platform/watched-folder/folder-watch.ts';
import type { FoundDocument, FoundFile } from '../../../platform/watched-folder/found-files.ts';
import { copyFound, readFound } from '../../../platform/watched-folder/read-found.ts';
import { MAX_DOCUMENT_BYTES } from '../../inbound/service.ts';
import { badManifest, ImportRefusalError, notPdf } from '../errors.ts';
import { importDocument } from '../import-document.ts';
import { describeManifest, readManifest } from '../manifest.ts';
import type { ImportsParts } from '../parts.ts';
import type { Importer, Manifest } from '../types.ts';

/** The account of everything that is imported from the folder. */
export const FOLDER_ACCOUNT = 'folder';
/** The source system of a document without a manifest. */
const FOLDER_SYSTEM = 'folder';

const FOLDER_IMPORTER = {
  account: FOLDER_ACCOUNT,
  name: 'Import folder',
  checkedBy: 'folder',
  mayFileIn: () => true,
} as const;

/**
 * Imports one document of the folder from a copy of it. Throws file system errors, and errors that keep the import from
 * being made now; then everything stays as it is.
 */
export async function takeDocument(parts: ImportsParts, found: FoundDocument): Promise<TakeOutcome> {
  const copy = join(parts.workDirectory, newId());
  try {
    if (found.file.sizeBytes > MAX_DOCUMENT_BYTES) throw notPdf('It is larger than 50 MB.', null);
    if (!(await copyFound(found.file, copy))) return 'left';
    const digest = await fileDigest(copy);
    const text = found.manifest && (await textOf(found.manifest));
    if (text === undefined) return 'left';
    const manifest = text === null ? withoutManifest(digest.sha256) : readManifest(parts, text);
    const importer: Importer = {
      ...FOLDER_IMPORTER,
      describe: (described, name) =>
        text === null
          ? `The document was taken from the import folder, where it was called ${name}.`
          : describeManifest(described),
    };
    const file = { content: { path: copy }, name: shownName(found.file), ...digest };
    await importDocument(parts, { manifest, file, importer });
    return { done: null };
  } catch (error) {
    if (error instanceof ImportRefusalError) return { refused: error.publicMessage };
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Without what nobody sees. */
const shownName = ({ name }: FoundFile) => name.replaceAll(INVISIBLE_CHARACTERS, '').toWellFormed();

/** Without a manifest the content names the document. */
function withoutManifest(sha256: string): Manifest {
  const fields = { source_system: FOLDER_SYSTEM, operation_id: sha256 };
  return {
    sourceSystem: FOLDER_SYSTEM,
    operationId: sha256,
    revision: '',
    sourceReceivedAt: null,
    to: null,
    from: null,
    pages: null,
    fields,
  };
}

/** The text of a manifest; undefined when the file is not, or no longer, what was found. Throws a refusal. */
export async function textOf(file: FoundFile): Promise<string | undefined> {
  if (file.sizeBytes > MANIFEST_BYTES) throw badManifest('It is larger than 8 KB.');
  const read = await readFound(file);
  if ('text' in read) return read.text;
  if (read.problem === 'no_text') throw badManifest('It is not JSON in UTF-8.');
  return undefined;
}
