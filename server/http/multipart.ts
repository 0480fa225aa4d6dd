import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { Request } from 'express';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';
import { RefusalError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';

/** A file part, already on disk and hashed. The path is empty when the form was received without keeping files. */
export interface UploadedFile {
  readonly field: string;
  readonly path: string;
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
  /** Removes the files that nobody took over. */
  discard(): Promise<void>;
}

export interface FormLimits {
  /** Where files are written; null when only their digests are wanted. */
  readonly directory: string | null;
  /** All files together. */
  readonly totalBytes: number;
  readonly files: number;
  readonly digest: 'sha256' | 'sha1';
}

const FIELD_BYTES = 1024 * 1024;
const FIELDS = 200;

/** Streams a multipart or url-encoded form to disk and hashes it on the way; it is never whole in memory. */
export async function receiveForm(request: Request, limits: FormLimits): Promise<ReceivedForm> {
  const parser = openParser(request, limits);
  const fields: [string, string][] = [];
  const writing: Promise<UploadedFile>[] = [];
  const paths: string[] = [];
  const budget = { left: limits.totalBytes };
  const discard = async () => {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const giveUp = (error: Error) => {
        request.unpipe(parser);
        request.resume();
        reject(error);
      };
      parser.on('field', (name, value, info) => {
        if (info.valueTruncated || info.nameTruncated) giveUp(unreadable('a form field is too long'));
        else fields.push([name, value]);
      });
      parser.on('file', (field, stream, info) => {
        const path = limits.directory === null ? '' : join(limits.directory, newId());
        if (path) paths.push(path);
        const file = writeFile(stream, {
          field,
          path,
          fileName: info.filename ?? '',
          declaredType: info.mimeType,
          budget,
          algorithm: limits.digest,
        });
        writing.push(file);
        file.catch(giveUp);
      });
      parser.on('filesLimit', () =>
        giveUp(new RefusalError(400, `At most ${limits.files} files fit in one request.`)),
      );
      parser.on('fieldsLimit', () => giveUp(unreadable('too many form fields')));
      parser.on('partsLimit', () => giveUp(unreadable('too many form parts')));
      parser.on('error', (error) => giveUp(unreadable((error as Error).message)));
      parser.on('close', resolve);
      request.on('aborted', () => giveUp(unreadable('the caller broke off')));
      request.pipe(parser);
    });
    return { fields, files: await Promise.all(writing), discard };
  } catch (error) {
    await Promise.allSettled(writing);
    await discard();
    throw error;
  }
}

function openParser(request: Request, limits: FormLimits): ReturnType<typeof busboy> {
  const declared = Number(request.headers['content-length'] ?? 0);
  // A megabyte for fields and part headings; an honest length over the limit is refused before a byte is read.
  if (declared > limits.totalBytes + FIELD_BYTES) throw new RefusalError(413, FIXED_MESSAGES.tooLarge);
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fieldSize: FIELD_BYTES, fields: FIELDS, files: limits.files, parts: FIELDS + limits.files },
    });
  } catch (error) {
    throw unreadable((error as Error).message);
  }
}

async function writeFile(
  stream: Readable,
  part: {
    field: string;
    path: string;
    fileName: string;
    declaredType: string;
    budget: { left: number };
    algorithm: string;
  },
): Promise<UploadedFile> {
  const hash = createHash(part.algorithm);
  let sizeBytes = 0;
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      sizeBytes += chunk.length;
      part.budget.left -= chunk.length;
      if (part.budget.left < 0) throw new RefusalError(413, FIXED_MESSAGES.tooLarge);
      hash.update(chunk);
      yield chunk;
    }
  };
  const sink = part.path
    ? createWriteStream(part.path, { flags: 'wx', mode: 0o600, flush: true })
    : new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(stream, counted, sink);
  const { field, path, fileName, declaredType } = part;
  return { field, path, fileName, declaredType, sizeBytes, digest: hash.digest('hex') };
}

function unreadable(message: string): RefusalError {
  return new RefusalError(400, FIXED_MESSAGES.unreadableBody, { message });
}
