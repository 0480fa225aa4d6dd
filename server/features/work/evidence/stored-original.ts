import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { StorageMissingError } from '../../../adapters/storage/port.ts';
import { readingError } from '../../../adapters/storage/reading-port.ts';
import { AlteredFileError } from '../../../platform/errors.ts';
import type { Original } from './archive.ts';
import type { MissingPart } from './manifest.ts';

/** Opens a stored document. */
type OpenStored = (name: string) => Promise<{ stream: Readable; sizeBytes: number }>;

/** A stored document as it is now, or the reason why it is not in the archive. */
export type StoredOriginal = { readonly original: Original } | { readonly missing: MissingPart };

/** A document that belongs into an archive. */
export interface WantedDocument {
  /** Its name in the archive. */
  readonly part: string;
  /** Its name in the storage; null when it is not kept any more. */
  readonly name: string | null;
  /** As recorded when it came. */
  readonly sha256: string;
}

/**
 * Reads a stored document through and compares it with the fingerprint that was recorded when it came. Throws
 * StorageUnreadableError (503) while it cannot be read.
 */
export async function readOriginal(
  open: OpenStored,
  { part, name, sha256: recordedSha256 }: WantedDocument,
): Promise<StoredOriginal> {
  if (name === null) return { missing: missing(part, 'expired') };
  try {
    const hash = createHash('sha256');
    const read = { sizeBytes: 0, crc32: 0 };
    for await (const piece of (await open(name)).stream as AsyncIterable<Buffer>) {
      hash.update(piece);
      read.crc32 = crc32(piece, read.crc32);
      read.sizeBytes += piece.length;
    }
    const sha256 = hash.digest('hex');
    if (sha256 !== recordedSha256) return { missing: missing(part, 'altered') };
    return { original: { ...read, sha256 } };
  } catch (error) {
    if (error instanceof StorageMissingError) return { missing: missing(part, 'gone') };
    if (error instanceof AlteredFileError) return { missing: missing(part, 'altered') };
    throw readingError(error);
  }
}

/**
 * The same document once more, for the archive. What was altered since it was compared does not end as a whole archive: the
 * last piece is kept back until all of it was.
 */
export async function* rereadOriginal(
  open: OpenStored,
  { name, sha256 }: Pick<WantedDocument, 'name' | 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let last: Buffer | null = null;
  for await (const piece of (await open(name ?? '')).stream as AsyncIterable<Buffer>) {
    if (last !== null) yield last;
    hash.update(piece);
    last = piece;
  }
  if (hash.digest('hex') !== sha256) throw new AlteredFileError('the document changed while it was exported');
  if (last !== null) yield last;
}

const SENTENCES = {
  not_allowed:
    'The person who exported this archive does not have permission to open the document (inbound:document).',
  expired: 'The document was deleted under the retention setting.',
  gone: 'The stored document is missing, although it should be there.',
  altered: 'The stored document is not the one that was received: it was altered.',
} as const satisfies Record<MissingPart['reason'], string>;

/** Names a document that is not in the archive, with the reason. */
export const missing = (part: string, reason: MissingPart['reason']): MissingPart => ({
  part,
  reason,
  text: SENTENCES[reason],
});
