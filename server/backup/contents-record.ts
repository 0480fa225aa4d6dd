import { open, stat } from 'node:fs/promises';
import { replaceDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { sha256Hex } from '../platform/hash.ts';
import { fileNameOf, type ManifestEntry } from './manifest.ts';

const FORMAT_LINE = 'faxdesk-backup-contents 1';
/** Hexadecimal digits of a document's digest: enough to find one among millions. */
const DIGEST_DIGITS = 24;
/** Text that is written at once. */
const PIECE_CHARACTERS = 16 * 1024;

/**
 * Facts of an encrypted backup that decide whether an older one is still needed: they are kept beside it, because the gateway
 * cannot open it. Documents and the data key are in it as digests only.
 */
interface ContentsRecord {
  readonly documents: readonly string[];
  readonly keyDigest: string | null;
}

/** Name of the record beside a backup. */
export const contentsRecordOf = (backup: string): string => `${backup}.contents`;

/** Writes the record of a backup that is about to take its name. */
export async function writeContentsRecord(
  backup: string,
  made: { entries: Iterable<ManifestEntry>; keyDigest: string | null; sizeBytes: number },
): Promise<void> {
  const pieces = function* () {
    let text = `${FORMAT_LINE}\nsize ${made.sizeBytes}\nkey ${made.keyDigest ?? 'none'}\n`;
    for (const { name } of made.entries) {
      const document = fileNameOf(name);
      if (document !== null) text += `${digestOf(document)}\n`;
      if (text.length < PIECE_CHARACTERS) continue;
      yield text;
      text = '';
    }
    yield text;
  };
  await replaceDurably(contentsRecordOf(backup), 0o600, (file) => file.writeFile(pieces()));
}

/**
 * Returns which of the documents an encrypted backup holds by its record, and the digest of its data key. `unknown` without a
 * record, null for a backup that is gone or has another size than when it was made. Throws the errors of the disk.
 */
export async function readContentsRecord(
  backup: string,
  documents: readonly string[],
): Promise<ContentsRecord | 'unknown' | null> {
  const found = await stat(backup).catch(nullWhenMissing);
  if (found === null) return null;
  const file = await open(contentsRecordOf(backup), 'r').catch(nullWhenMissing);
  if (file === null) return 'unknown';
  try {
    const wanted = new Map(documents.map((name) => [digestOf(name), name]));
    const held: string[] = [];
    const head: string[] = [];
    for await (const line of file.readLines()) {
      if (head.length < 3) head.push(line);
      else if (wanted.has(line)) held.push(wanted.get(line) ?? '');
    }
    const [format, size, key] = head;
    if (format !== FORMAT_LINE || key === undefined) return 'unknown';
    if (size !== `size ${found.size}`) return null;
    return { documents: held, keyDigest: key === 'key none' ? null : key.slice('key '.length) };
  } finally {
    await file.close().catch(() => undefined);
  }
}

const digestOf = (document: string): string => sha256Hex(document).slice(0, DIGEST_DIGITS);

function nullWhenMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}
