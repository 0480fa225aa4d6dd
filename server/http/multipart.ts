import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { INVISIBLE_CHARACTERS } from '../../shared/visible-text.ts';
import { RefusalError } from '../platform/errors.ts';
import { searchNatively } from './boundary-search.ts';
import { createJoinedPieces } from './joined-pieces.ts';
import { containsNul } from './json-body.ts';
import type { UnverifiedBody } from './unverified-bodies.ts';
import {
  createUploadFile,
  type FilePlace,
  MEMORY_BYTES,
  type UploadContent,
  type UploadFile,
} from './upload-file.ts';

/** A file part, whole and hashed. */
export interface UploadedFile {
  readonly field: string;
  /** Empty when it is not kept. */
  readonly content: UploadContent;
  readonly isKept: boolean;
  /** The last part of the name the caller gave, without control characters; may be empty. */
  readonly fileName: string;
  readonly declaredType: string;
  readonly sizeBytes: number;
  /** Lowercase hex, by the algorithm the route asked for. */
  readonly digest: string;
}

/** A form as it arrived: decoded fields in wire order, and its files. */
export interface ReceivedForm {
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  readonly files: readonly UploadedFile[];
  /** Removes the files that nobody moved away. */
  discard(): Promise<void>;
}

export interface FormLimits {
  /** Destination of larger files; null when only digests are needed. */
  readonly place: FilePlace | null;
  /** All files together. */
  readonly totalBytes: number;
  readonly files: number;
  readonly digest: 'sha256' | 'sha1';
  /** True when a url-encoded form is refused. */
  readonly isMultipartOnly?: true;
  /**
   * Limits for a sender that is not authenticated yet: bounds the memory in use, and aborts the reading. Without a
   * place then.
   */
  readonly unverified?: UnverifiedBody;
  /**
   * Takes a file part as it arrives, with the fields before it, in place of keeping it. Nothing more is read before it asks
   * for the next piece. An error that it throws ends the reading.
   */
  readonly takeFile?: (part: FilePart, fields: readonly Field[]) => Promise<void>;
}

type Field = readonly [name: string, value: string];

/** A file part whose content arrives. */
interface FilePart {
  readonly field: string;
  readonly content: AsyncIterable<Buffer>;
}

/** All fields together, and what the headings of parts may add to the files. */
const FIELD_BYTES = 1024 * 1024;
const FIELDS = 200;
const FILE_NAME_LENGTH = 255;
const MULTIPART = /^multipart\/form-data\s*(?:;|$)/iu;
const FORM_TYPES = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\s*(?:;|$)/iu;

/**
 * Reads a multipart or url-encoded form and hashes it on the way. Small files stay in memory, larger ones are streamed to
 * disk and never whole in memory. Throws 413 the moment a limit passes, 415 for another content type and 400 for a form
 * that cannot be read; then no file is left.
 */
export async function receiveForm(request: Request, limits: FormLimits): Promise<ReceivedForm> {
  const parser = openParser(request, limits);
  const fields: [string, string][] = [];
  const writing: Promise<UploadedFile>[] = [];
  const taken: Promise<void>[] = [];
  const kept: UploadFile[] = [];
  const memory = { bytes: limits.unverified?.fileBytes ?? MEMORY_BYTES };
  const budget = { files: limits.totalBytes, fields: fieldBytesOf(limits) };
  const keepsFiles = limits.place !== null || limits.unverified !== undefined;
  const discard = async () => {
    await Promise.all(kept.map((file) => file.discard()));
  };
  try {
    await readParts(request, parser, limits, {
      field(name, value) {
        budget.fields -= Buffer.byteLength(name) + Buffer.byteLength(value);
        if (budget.fields < 0) throw tooLarge();
        fields.push([name, value]);
      },
      file(field, stream, info) {
        if (limits.takeFile) {
          const work = limits.takeFile({ field, content: stream }, fields);
          taken.push(work);
          return work;
        }
        const keep = keepsFiles ? createUploadFile(limits.place, memory) : null;
        if (keep) kept.push(keep);
        const about = { field, fileName: plainName(info.filename ?? ''), declaredType: info.mimeType };
        const file = readFile(stream, about, { budget, algorithm: limits.digest, keep });
        writing.push(file);
        return file;
      },
    });
    await Promise.all(taken);
    return { fields, files: await Promise.all(writing), discard };
  } catch (error) {
    await Promise.allSettled([...writing, ...taken]);
    await discard();
    throw error;
  }
}

const fieldBytesOf = ({ unverified }: FormLimits): number => unverified?.fieldBytes ?? FIELD_BYTES;

function openParser(request: Request, limits: FormLimits): ReturnType<typeof busboy> {
  const declared = Number(request.headers['content-length'] ?? 0);
  // An honest length over the limit is refused before a byte is read.
  if (declared > limits.totalBytes + FIELD_BYTES) throw tooLarge();
  const types = limits.isMultipartOnly ? MULTIPART : FORM_TYPES;
  if (!types.test(request.get('content-type') ?? '')) throw new RefusalError('form_expected');
  try {
    const parser = busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        fieldSize: fieldBytesOf(limits),
        fields: FIELDS,
        files: limits.files,
        parts: FIELDS + limits.files,
      },
    });
    searchNatively(parser);
    return parser;
  } catch (error) {
    throw unreadable((error as Error).message);
  }
}

interface PartHandlers {
  field(name: string, value: string): void;
  file(name: string, stream: Readable, info: busboy.FileInfo): Promise<unknown>;
}

/** Ends when every part was handed over; rejects with the first problem, and then nothing waits for the rest. */
function readParts(
  request: Request,
  parser: ReturnType<typeof busboy>,
  limits: FormLimits,
  handlers: PartHandlers,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let left = limits.totalBytes + FIELD_BYTES;
    const pieces = createJoinedPieces();
    const parse = (chunk: Buffer) => {
      // Parts that no route reads count as well.
      left -= chunk.length;
      limits.unverified?.add(chunk.length);
      if (left < 0) abort(tooLarge());
      else if (!parser.destroyed) writeToParser(request, parser, pieces.add(chunk));
    };
    const { signal } = limits.unverified ?? {};
    signal?.addEventListener('abort', () => abort(signal.reason));
    const abort = (error: unknown) => {
      reject(error);
      request.off('data', parse).pause();
      // The parser goes on through the bytes that it was given, destroyed or not. For whom nobody listens it skips, so that
      // it opens no further stream, whose end would never come.
      parser.removeAllListeners('file').removeAllListeners('field');
      parser.destroy();
    };
    listenForParts(parser, handlers, abort);
    listenForProblems(parser, limits, abort);
    parser.on('close', resolve);
    request.on('end', () => parser.end(pieces.flush()));
    request.on('close', () => {
      if (!request.readableEnded) abort(unreadable('the caller broke off'));
    });
    if (request.destroyed) abort(unreadable('the caller broke off'));
    else if (signal?.aborted) abort(signal.reason);
    else request.on('data', parse);
  });
}

/** At the pace of the parser. */
function writeToParser(request: Request, parser: ReturnType<typeof busboy>, bytes: Buffer | null): void {
  if (bytes === null || parser.write(bytes)) return;
  request.pause();
  parser.once('drain', () => request.resume());
}

function listenForParts(
  parser: ReturnType<typeof busboy>,
  handlers: PartHandlers,
  abort: (error: unknown) => void,
): void {
  parser.on('field', (name, value, info) => {
    try {
      if (info.valueTruncated) throw tooLarge();
      if (!name || info.nameTruncated) throw unreadable('a form part has no usable name');
      // The parser returns no value for an unsupported charset.
      if (typeof value !== 'string') throw unreadable('a form field has an unknown charset');
      if (containsNul(value)) throw unreadable('a form field holds NUL');
      handlers.field(name, value);
    } catch (error) {
      abort(error);
    }
  });
  parser.on('file', (name, stream, info) => {
    // Errors are reported by the writing; without a listener the event would end the process.
    stream.on('error', () => undefined);
    if (name) handlers.file(name, stream, info).catch(abort);
    else abort(unreadable('a form part has no name'));
  });
}

function listenForProblems(
  parser: ReturnType<typeof busboy>,
  limits: FormLimits,
  abort: (error: unknown) => void,
): void {
  const tooMany = (max: number, what: string) => () =>
    abort(new RefusalError('too_many_parts', { sentence: `One request can have at most ${max} ${what}.` }));
  parser.on('filesLimit', tooMany(limits.files, 'files'));
  parser.on('fieldsLimit', tooMany(FIELDS, 'fields'));
  parser.on('partsLimit', tooMany(FIELDS + limits.files, 'parts'));
  parser.on('error', (error) => abort(unreadable((error as Error).message)));
}

async function readFile(
  stream: Readable,
  about: Pick<UploadedFile, 'field' | 'fileName' | 'declaredType'>,
  { budget, algorithm, keep }: { budget: { files: number }; algorithm: string; keep: UploadFile | null },
): Promise<UploadedFile> {
  const hash = createHash(algorithm);
  let sizeBytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      budget.files -= chunk.length;
      if (budget.files < 0) throw tooLarge();
      hash.update(chunk);
      await keep?.add(chunk);
    }
    await keep?.end();
  } catch (error) {
    const isOurs = error instanceof RefusalError || (error instanceof Error && 'syscall' in error);
    throw isOurs ? error : unreadable('a file breaks off');
  } finally {
    await keep?.close();
  }
  const content = keep?.content ?? { bytes: new Uint8Array() };
  return { ...about, content, isKept: keep?.isKept ?? false, sizeBytes, digest: hash.digest('hex') };
}

/** Removes invisible characters, which can make a name look like another. */
function plainName(name: string): string {
  return name.replaceAll(INVISIBLE_CHARACTERS, '').trim().slice(0, FILE_NAME_LENGTH);
}

function tooLarge(): RefusalError {
  return new RefusalError('too_large');
}

function unreadable(message: string): RefusalError {
  return new RefusalError('unreadable_request', { message });
}
