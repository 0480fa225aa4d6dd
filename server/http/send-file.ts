import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { RefusalError } from '../platform/errors.ts';
import { pipeToResponse } from './pipe-to-response.ts';
import { disposition, type FileReply } from './reply.ts';

/** Positions of the first and the last byte of a part, from 0. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Sends a file with this status. Where its digest is known, a reader that has it already gets 304, and one that requests a
 * part gets 206 with that part (RFC 9110). Throws a 416 refusal for a part behind the end.
 */
export async function sendFile(status: number, reply: FileReply, response: Response): Promise<void> {
  for (const [name, value] of Object.entries(reply.headers))
    if (name === 'Vary') response.vary(value);
    else response.setHeader(name, value);
  response.status(status).type(reply.contentType);
  if (reply.fileName)
    response.setHeader('Content-Disposition', disposition(reply.fileName, reply.isDownload));
  const { sizeBytes, source } = reply;
  if (sizeBytes !== undefined) response.setHeader('Content-Length', sizeBytes);
  if (reply.sha256 === null || sizeBytes === undefined) return sendBytes(source, response);
  const tag = `"${reply.sha256}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Accept-Ranges', 'bytes');
  try {
    if (isKnown(response.req, tag)) return sendNotModified(source, response);
    const range = requestedRange(response.req, tag, sizeBytes);
    if (range === null) return await sendBytes(source, response);
    response.status(206).setHeader('Content-Range', `bytes ${range.first}-${range.last}/${sizeBytes}`);
    response.setHeader('Content-Length', range.last - range.first + 1);
    await sendBytes(partOf(source, range), response);
  } catch (error) {
    if (source instanceof Readable) source.destroy();
    throw error;
  }
}

async function sendBytes(source: Uint8Array | Readable, response: Response): Promise<void> {
  if (source instanceof Uint8Array) response.end(source);
  else await pipeToResponse(source, response);
}

function sendNotModified(source: Uint8Array | Readable, response: Response): void {
  if (source instanceof Readable) source.destroy();
  for (const name of ['Content-Type', 'Content-Encoding', 'Content-Length', 'Content-Disposition'])
    response.removeHeader(name);
  response.status(304).end();
}

/** Returns true when the reader has the content with this tag; a weak tag names it as well. */
function isKnown({ headers }: Pick<Request, 'headers'>, tag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim()));
}

/** Returns the part that a request asks for; null for the whole, also where several parts or other units are requested. */
function requestedRange({ method, headers }: Request, tag: string, sizeBytes: number): ByteRange | null {
  const condition = headers['if-range'];
  if (method !== 'GET' || headers.range === undefined) return null;
  if (condition !== undefined && condition !== tag) return null;
  const [, from = '', to = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(headers.range.replaceAll(' ', '')) ?? [];
  if (from === '' && to === '') return null;
  const end = sizeBytes - 1;
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? end : Math.min(end, Number(to));
  // Not a range at all, which is left out.
  if (from !== '' && to !== '' && Number(to) < first) return null;
  if (first > end) throw unsatisfiable(sizeBytes);
  return { first, last };
}

const unsatisfiable = (sizeBytes: number) =>
  new RefusalError('range_not_satisfiable', { headers: { 'Content-Range': `bytes */${sizeBytes}` } });

function partOf(source: Uint8Array | Readable, range: ByteRange): Uint8Array | Readable {
  if (source instanceof Uint8Array) return source.subarray(range.first, range.last + 1);
  return Readable.from(readPart(source, range), { objectMode: false });
}

/** Reads a document from its beginning: a sealed one cannot be opened in the middle. */
async function* readPart(source: Readable, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at > last) return;
  }
}
