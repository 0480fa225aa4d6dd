import {
  closeSync,
  fstatSync,
  fsync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { DocumentError, type DocumentWork } from '../../documents/documents.ts';
import { flushFolder, temporaryNameFor } from '../../platform/durable-file.ts';
import { errorCode } from '../../platform/errors.ts';
import { sha256Hex } from '../../platform/hash.ts';

const flush = promisify(fsync);
const OWNER_FILE = 0o600;
/** Largest document, as for every received fax. */
const MAX_BYTES = 50 * 1024 * 1024;
/** A PDF begins within so many bytes. */
const HEAD_BYTES = 1024;

/** Documents that an earlier release stored in place of a fax that it could not have, by their SHA-256. */
const STAND_INS = new Set([
  '8410c67905922df0a298607ef7d52ce1af72d765eb1f3a7ed52a58c35b25ab1d',
  'de8d36b2410e1dd035fb78d977281e68d55839f4cd2bd10e80838581ef926bd9',
]);

/** A document of an earlier release that is wanted. */
interface WantedDocument {
  /** Paths below the folder of files, with `/`, in the order in which they are tried. */
  readonly paths: readonly string[];
  /** Name in the storage for a document with this digest. */
  readonly nameOf: (sha256: string) => string;
  /** Fingerprint that it must have; null where none was recorded. */
  readonly sha256: string | null;
  /** True to load every page; otherwise its pages are only counted. */
  readonly loadsPages: boolean;
}

/** A document that was checked and is kept, or the reason why there is none. */
export type FoundDocument =
  | { readonly name: string; readonly sha256: string; readonly sizeBytes: number; readonly pages: number }
  | {
      readonly problem: 'missing' | 'stand_in' | 'altered' | 'too_large' | 'unreadable';
      readonly at: string | null;
    };

type NoDocument = Exclude<FoundDocument, { name: string }>;

/** Folder with the files of an earlier release. Nothing in it is changed. */
export interface EarlierFiles {
  /** Copies, checks and keeps the documents; the answers are in the order of the requests. */
  take(wanted: readonly WantedDocument[]): Promise<FoundDocument[]>;
}

interface FilesParts {
  /** Absolute. */
  readonly folder: string;
  readonly documents: Pick<DocumentWork, 'inspectPdf' | 'quickCheck'>;
  /** Returns the path for a document, in a folder that exists; in a dry run, one that is removed afterwards. */
  readonly place: (name: string) => Promise<string>;
  /** False for a dry run: copies are removed again. */
  readonly keeps: boolean;
}

/** A copy under a temporary name, beside the place where it will be. */
interface Copy {
  readonly temporary: string;
  readonly place: string;
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export function openEarlierFiles(parts: FilesParts): EarlierFiles {
  const root = realpathSync(parts.folder);
  return {
    async take(wanted) {
      const copies: (Copy | NoDocument)[] = [];
      try {
        for (const each of wanted) copies.push(await copy(parts, root, each));
        const checked = await Promise.all(
          copies.map((each, at) =>
            'problem' in each ? Promise.resolve(each) : check(parts, each, wanted[at]?.loadsPages === true),
          ),
        );
        if (parts.keeps) await keepAll(checked);
        return checked.map((each) => ('problem' in each ? each : withoutPaths(each)));
      } finally {
        for (const each of copies) if ('temporary' in each) rmSync(each.temporary, { force: true });
      }
    },
  };
}

type Checked = Copy & { readonly pages: number };

function withoutPaths({ name, sha256, sizeBytes, pages }: Checked): FoundDocument {
  return { name, sha256, sizeBytes, pages };
}

async function copy(parts: FilesParts, root: string, wanted: WantedDocument): Promise<Copy | NoDocument> {
  for (const path of wanted.paths) {
    const found = readInside(root, path);
    if (found === null) continue;
    if (found === 'too_large' || found === 'unreadable') return { problem: found, at: path };
    const sha256 = sha256Hex(found);
    if (STAND_INS.has(sha256)) return { problem: 'stand_in', at: path };
    if (wanted.sha256 !== null && wanted.sha256 !== sha256) return { problem: 'altered', at: path };
    if (!found.subarray(0, HEAD_BYTES).includes('%PDF-')) return { problem: 'unreadable', at: path };
    return writeCopy(parts, wanted.nameOf(sha256), found, sha256);
  }
  return { problem: 'missing', at: null };
}

async function writeCopy(
  parts: FilesParts,
  name: string,
  bytes: Buffer,
  sha256: string,
): Promise<Copy | NoDocument> {
  const place = await parts.place(name);
  const temporary = temporaryNameFor(place);
  const file = openSync(temporary, 'wx', OWNER_FILE);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
  return { temporary, place, name, sha256, sizeBytes: bytes.length };
}

/** Reads a file below the folder. Null where there is none, also where a link leads out of the folder. */
function readInside(root: string, path: string): Buffer | 'too_large' | 'unreadable' | null {
  try {
    const real = realpathSync(join(root, ...path.split('/')));
    if (!real.startsWith(`${root}${sep}`)) return null;
    const file = openSync(real, 'r');
    try {
      const facts = fstatSync(file);
      if (!facts.isFile()) return null;
      return facts.size > MAX_BYTES ? 'too_large' : readWhole(file, facts.size);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(errorCode(error)) ? null : 'unreadable';
  }
}

function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const count = readSync(file, bytes, at, size - at, at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}

async function check(
  { documents }: FilesParts,
  each: Copy,
  loadsPages: boolean,
): Promise<Checked | NoDocument> {
  const { temporary: path, name } = each;
  try {
    if (loadsPages) return { ...each, ...(await documents.inspectPdf(path)) };
    const source = { path, fileName: basename(name), declaredType: 'application/pdf' };
    const [found] = await documents.quickCheck([source]);
    return { ...each, pages: found?.pages ?? 0 };
  } catch (error) {
    if (error instanceof DocumentError) return { problem: 'unreadable', at: null };
    throw error;
  }
}

/** Flushes all copies together, which a disk does in a fraction of the time, and gives them their names. */
async function keepAll(checked: readonly (Checked | NoDocument)[]): Promise<void> {
  const kept = checked.flatMap((each) => ('problem' in each ? [] : [each]));
  await Promise.all(kept.map(({ temporary }) => flushFile(temporary)));
  for (const { temporary, place } of kept) renameSync(temporary, place);
  for (const folder of new Set(kept.map(({ place }) => dirname(place)))) await flushFolder(folder);
}

async function flushFile(path: string): Promise<void> {
  const file = openSync(path, 'r+');
  try {
    await flush(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the paths at which a document may lie below the folder, whatever the folder was called in that release: the
 * recorded path without its beginning, then the usual places of its id.
 */
export function pathsOf(recorded: string | null, formerId: string): string[] {
  const parts = (recorded ?? '')
    .replace(/^s3:\/\//u, '')
    .split(/[/\\]/u)
    .filter((part) => part !== '' && part !== '.');
  const isPlain = parts.length > 0 && parts.length <= 32 && !parts.includes('..');
  const tails = isPlain ? parts.map((_part, at) => parts.slice(at).join('/')) : [];
  const usual = /^[A-Za-z0-9_-]{1,64}$/u.test(formerId) ? [`inbound/${formerId}.pdf`, `${formerId}.pdf`] : [];
  return [...new Set([...tails, ...usual])];
}
