import type { Request } from 'express';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';
import { RefusalError } from '../platform/errors.ts';

const MOST_BYTES = 1024 * 1024;

/** The JSON of a request body of at most 1 MB; undefined when there is none. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new RefusalError(413, FIXED_MESSAGES.tooLarge);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  if (!/^application\/json\b/iu.test(request.get('content-type') ?? ''))
    throw new RefusalError(415, 'Send the body as application/json.');
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new RefusalError(400, FIXED_MESSAGES.unreadableBody, { cause: error });
  }
}
