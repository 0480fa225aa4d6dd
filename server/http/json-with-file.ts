import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { RefusalError } from '../platform/errors.ts';
import { createBase64Text } from './base64-text.ts';
import { createJsonRest, readPieces, unreadable } from './json-body.ts';
import { createJsonMemberExtractor } from './json-member-extractor.ts';
import type { UploadedFile } from './multipart.ts';
import type { UnverifiedBody } from './unverified-bodies.ts';
import { createUploadFile, type FilePlace, MEMORY_BYTES } from './upload-file.ts';

interface JsonWithFile {
  /** An empty text stands where the file was; undefined when there is no body. */
  readonly json: unknown;
  /** Null when there was none. */
  readonly file: UploadedFile | null;
  /** Removes the file unless it was moved away. */
  discard(): Promise<void>;
}

/**
 * Reads JSON of at most 1 MB of which the outermost member `member` may be a file in base64. That is decoded as it
 * arrives: parsing a document of 50 MB in one go would hold up everybody else for 200 ms. Throws 413 the moment a limit
 * passes, the reason of `unverified` once it ends the reading, and otherwise as `readJsonBody`; then no file is left.
 * Without a directory a file is kept in memory or not at all.
 */
export async function receiveJsonWithFile(
  request: Request,
  wanted: {
    member: string;
    place: FilePlace | null;
    fileBytes: number;
    digest: 'sha256' | 'sha1';
    unverified?: UnverifiedBody | undefined;
  },
): Promise<JsonWithFile> {
  const { member, place, unverified } = wanted;
  const extractor = createJsonMemberExtractor(member);
  const rest = createJsonRest(unverified?.fieldBytes);
  const base64 = createBase64Text();
  const keep = createUploadFile(place, { bytes: unverified?.fileBytes ?? MEMORY_BYTES });
  const hash = createHash(wanted.digest);
  let sizeBytes = 0;
  const add = async (bytes: Buffer) => {
    sizeBytes += bytes.length;
    if (sizeBytes > wanted.fileBytes) throw new RefusalError('too_large');
    hash.update(bytes);
    if (bytes.length > 0) await keep.add(bytes);
  };
  try {
    const take = async (piece: Buffer) => {
      unverified?.add(piece.length);
      const extracted = extractor.extract(piece);
      for (const part of extracted.rest) rest.add(part);
      for (const part of extracted.value) await add(base64.add(part));
    };
    await readPieces(request, take, unverified?.signal);
    await add(base64.end());
    const json = rest.parse(request);
    if (extractor.count > 1) throw unreadable(`there are several members ${member}`);
    await keep.end();
    await keep.close();
    const about = { field: member, fileName: '', declaredType: '', sizeBytes, digest: hash.digest('hex') };
    const file = sizeBytes > 0 ? { ...about, content: keep.content, isKept: keep.isKept } : null;
    return { json, file, discard: () => keep.discard() };
  } catch (error) {
    await keep.close();
    await keep.discard();
    throw error;
  }
}
