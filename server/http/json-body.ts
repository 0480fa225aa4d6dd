import type { Request } from 'express';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';
import { RefusalError } from '../platform/errors.ts';

const MOST_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/iu;

/**
 * The JSON of a request body of at most `mostBytes` (1 MB when left out); undefined when there is none. Throws 413 for a larger body, 415 for
 * another content type or charset, and 400 for what is not JSON in UTF-8.
 */
export async function readJsonBody(request: Request, mostBytes = MOST_BYTES): Promise<unknown> {
  const bytes = await readBytes(request, mostBytes);
  if (bytes.length === 0) return undefined;
  if (!JSON_TYPE.test(request.get('content-type') ?? ''))
    throw new RefusalError(415, 'Send the body as application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the body, which may hold a password.
    throw unreadable('the body is not JSON in UTF-8');
  }
}

async function readBytes(request: Request, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not destroy the request: the refusal is still to be sent over its connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) throw new RefusalError(413, FIXED_MESSAGES.tooLarge);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof RefusalError ? error : unreadable('the caller broke off');
  }
  return Buffer.concat(chunks, size);
}

function unreadable(message: string): RefusalError {
  return new RefusalError(400, FIXED_MESSAGES.unreadableBody, { message });
}
