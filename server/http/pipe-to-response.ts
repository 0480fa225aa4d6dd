import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends the content of a stream as the body, and closes it at the end, however that comes. A `pipeline` into an answer whose
 * caller has left already never ends, and never closes its file. Rejects when either side broke off.
 */
export async function pipeToResponse(source: Readable, response: Response): Promise<void> {
  if (response.req.method === 'HEAD') response.end();
  if (response.destroyed || response.writableEnded) {
    source.destroy();
    return;
  }
  await pipeline(source, response);
}
