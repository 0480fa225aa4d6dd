import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MANIFEST_BYTES } from '../../../../shared/api/imports.ts';
import { INVISIBLE_CHARACTERS } from '../../../../shared/visible-text.ts';
import { fileDigest } from '../../../platform/file-digest.ts';
import { newId } from '../../../platform/ids.ts';
import { MOST_DOCUMENT_BYTES } from '../../inbound/service.ts';
import { badManifest, ImportRefusalError, notPdf } from '../errors.ts';
import { importDocument } from '../import-document.ts';
import { describeManifest, readManifest } from '../manifest.ts';
import type { ImportsParts } from '../parts.ts';
import type { Importer, Manifest } from '../types.ts';
import { type FoundDocument, type FoundFile, stateOf } from './found-files.ts';

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

/** What became of a document: `changed` while somebody still writes to it; `refused` for good, with the reason. */
export type Taken = 'done' | 'changed' | { readonly refused: string };

/**
 * Imports one document of the folder from a copy of it. Throws what the system says of the file, and what else keeps the
 * import from being made now; then everything stays as it is.
 */
export async function takeDocument(parts: ImportsParts, found: FoundDocument): Promise<Taken> {
  const copy = join(parts.workDirectory, newId());
  try {
    if (found.pdf.sizeBytes > MOST_DOCUMENT_BYTES) throw notPdf('It is larger than 50 MB.', null);
    if (!(await copyWhole(found.pdf, copy))) return 'changed';
    const digest = await fileDigest(copy);
    const text = found.manifest && (await textOf(found.manifest));
    if (text === undefined) return 'changed';
    const manifest = text === null ? withoutManifest(digest.sha256) : readManifest(parts, text);
    const importer: Importer = {
      ...FOLDER_IMPORTER,
      describe: (told, name) =>
        text === null
          ? `The document was taken from the import folder, where it was called ${name}.`
          : describeManifest(told),
    };
    const file = { content: { path: copy }, name: shownName(found.pdf), ...digest };
    await importDocument(parts, { manifest, file, importer });
    return 'done';
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
  const told = { source_system: FOLDER_SYSTEM, operation_id: sha256 };
  return {
    sourceSystem: FOLDER_SYSTEM,
    operationId: sha256,
    revision: '',
    sourceReceivedAt: null,
    to: null,
    from: null,
    pages: null,
    told,
  };
}

/** False when the file is not, or no longer, what was found. */
async function copyWhole(file: FoundFile, to: string): Promise<boolean> {
  await using handle = await openFound(file);
  if (handle === null) return false;
  const source = handle.createReadStream({ start: 0, autoClose: false });
  await pipeline(source, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  return await isAsFound(handle, file);
}

/** The text of a manifest; undefined when the file is not, or no longer, what was found. Throws a refusal. */
export async function textOf(file: FoundFile): Promise<string | undefined> {
  if (file.sizeBytes > MANIFEST_BYTES) throw badManifest('It is larger than 8 KB.');
  await using handle = await openFound(file);
  if (handle === null) return undefined;
  const bytes = await handle.readFile();
  if (!(await isAsFound(handle, file))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badManifest('It is not JSON in UTF-8.');
  }
}

/** Never through a link; null when another file lies there by now. */
async function openFound(file: FoundFile): Promise<FileHandle | null> {
  const handle = await open(file.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  if (await isAsFound(handle, file)) return handle;
  await handle.close();
  return null;
}

async function isAsFound(handle: FileHandle, { state }: FoundFile): Promise<boolean> {
  const found = await handle.stat();
  return found.isFile() && stateOf(found) === state;
}
