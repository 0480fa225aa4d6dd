import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw } from 'node:zlib';
import type { DocumentContent } from '../../documents/documents.ts';
import { PrintError } from './print-error.ts';

/** Compressions that a document may have on its way. */
export const COMPRESSIONS = ['none', 'gzip', 'deflate'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** Formats that can be printed, with their first bytes as latin1 text. */
const SIGNATURES = {
  'application/pdf': '%PDF-',
  'image/jpeg': '\xff\xd8\xff',
  'image/pwg-raster': 'RaS2',
  'image/urf': 'UNIRAST\0',
} as const;
export type PrintFormat = keyof typeof SIGNATURES;
export const FORMATS = Object.keys(SIGNATURES) as PrintFormat[];
/** Any of them, recognized by its content. */
export const ANY_FORMAT = 'application/octet-stream';

/** Programs put lines before a PDF. */
const SNIFFED_BYTES = 1024;
/** Bytes after which the room on the disk is looked at. */
const CHECKED_BYTES = 8 * 1024 * 1024;

/** A document that arrived whole. */
export interface ReceivedDocument {
  readonly content: DocumentContent;
  readonly format: PrintFormat;
  /** SHA-256, lowercase hex. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** Removes the file where nobody moved it away. */
  discard(): Promise<void>;
}

/** A file on its way in: in memory while it is small, then on the disk. */
export interface IncomingFile {
  /** Resolves when the next piece may come. Errors of the file system keep their code (`ENOSPC`). */
  add(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
  readonly content: DocumentContent;
  /** Removes the file where nobody moved it away. */
  discard(): Promise<void>;
}

interface ReceiveOptions {
  readonly compression: Compression;
  /** Declared format. */
  readonly format: PrintFormat | typeof ANY_FORMAT;
  /** Returns the most bytes of a format, and the sentence for more. */
  readonly limitOf: (format: PrintFormat) => { readonly maxBytes: number; readonly sentence: string };
  /** Resolves to false while the disk is nearly full. */
  readonly hasRoom: () => Promise<boolean>;
  readonly file: IncomingFile;
}

/**
 * Receives a document to the disk, decompressed on the way. Throws PrintError for one that is too large or fills the disk, has
 * another format than its declared one, or cannot be decompressed; then no file is left.
 */
export async function receiveDocument(
  document: AsyncIterable<Buffer>,
  { compression, format, limitOf, hasRoom, file }: ReceiveOptions,
): Promise<ReceivedDocument> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let checkedBytes = 0;
  let found: PrintFormat | null = null;
  let start = Buffer.alloc(0);
  const write = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (found === null) {
        start = Buffer.concat([start, chunk.subarray(0, SNIFFED_BYTES)]);
        if (start.length >= SNIFFED_BYTES) found = formatOf(start, format);
      }
      const limit = found && limitOf(found);
      if (limit && sizeBytes > limit.maxBytes) throw new PrintError('tooLarge', limit.sentence);
      if (sizeBytes - checkedBytes >= CHECKED_BYTES) {
        checkedBytes = sizeBytes;
        if (!(await hasRoom())) throw diskIsFull();
      }
      hash.update(chunk);
      await file.add(chunk);
    }
  };
  try {
    await decompressed(document, compression, write);
    if (sizeBytes === 0) throw new PrintError('badRequest', 'There is no document.');
    found ??= formatOf(start, format);
    await file.end();
  } catch (error) {
    await file.close();
    await file.discard();
    throw error;
  }
  await file.close();
  return {
    content: file.content,
    format: found,
    digest: hash.digest('hex'),
    sizeBytes,
    discard: () => file.discard(),
  };
}

/** Returns the refusal while the disk has no room for a document. */
export const diskIsFull = () => new PrintError('busy', 'The disk of the Faxdesk computer is full.');

async function decompressed(
  document: AsyncIterable<Buffer>,
  compression: Compression,
  write: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  if (compression === 'none') {
    await write(document);
    return;
  }
  // IPP means the bare deflate stream, without the header of zlib.
  const inflate = compression === 'gzip' ? createGunzip() : createInflateRaw();
  try {
    await pipeline(Readable.from(document), inflate, (chunks: AsyncIterable<Buffer>) => write(chunks));
  } catch (error) {
    const isBroken = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isBroken ? new PrintError('compressionError', 'The document cannot be decompressed.') : error;
  }
}

/** Throws PrintError where the content is not of the declared format, or of none that can be printed. */
function formatOf(start: Buffer, declared: ReceiveOptions['format']): PrintFormat {
  const text = start.subarray(0, SNIFFED_BYTES).toString('latin1');
  const found = FORMATS.find((format) =>
    format === 'application/pdf' ? text.includes(SIGNATURES[format]) : text.startsWith(SIGNATURES[format]),
  );
  if (found !== undefined && (declared === ANY_FORMAT || declared === found)) return found;
  if (declared === ANY_FORMAT || text.startsWith('%!'))
    throw new PrintError('formatNotSupported', 'Documents of this format cannot be printed to Faxdesk.');
  throw new PrintError('formatError', `The document is not of the format ${declared}.`);
}
