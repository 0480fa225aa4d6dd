import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';

/** The answer is longer than allowed. */
export class OversizedAnswer extends Error {}

/** The disk failed, not the host: `cause` is its error. */
export class AnswerFileError extends Error {}

/** The whole body in memory. Throws OversizedAnswer. */
export async function readBounded(response: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedChunks(response, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Writes the body to a new file at the pace of the disk and returns its size. Leaves no file behind when it throws:
 * OversizedAnswer, AnswerFileError, or what ended the connection.
 */
export async function saveBounded(response: IncomingMessage, path: string, limit: number): Promise<number> {
  const file = await wrapDiskErrors(open(path, 'wx', 0o600));
  try {
    const size = await copyTo(file, response, limit);
    await wrapDiskErrors(file.close());
    return size;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

async function copyTo(file: FileHandle, response: IncomingMessage, limit: number): Promise<number> {
  let size = 0;
  for await (const chunk of boundedChunks(response, limit)) {
    await wrapDiskErrors(file.writeFile(chunk));
    size += chunk.length;
  }
  return size;
}

async function* boundedChunks(response: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > limit) throw new OversizedAnswer('The answer is too long.');
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new OversizedAnswer('The answer is too long.');
    yield chunk;
  }
}

async function wrapDiskErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new AnswerFileError('The answer could not be stored.', { cause });
  }
}
