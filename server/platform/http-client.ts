import { once } from 'node:events';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { errorCode } from './errors.ts';
import { AnswerFileError, OversizedAnswer, readBounded, saveBounded } from './http-answer.ts';
import { type LookupAll, openSocket } from './http-connection.ts';

/** Request body, produced in pieces. */
export interface HttpBody {
  readonly contentType: string;
  /** Null where the length is known only at the end: the body is sent in chunks, which every HTTP/1.1 host takes. */
  readonly contentLength: number | null;
  chunks(): AsyncIterable<Uint8Array>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: HttpBody;
  /** A longer answer is cut and fails as `oversized`. */
  readonly maxAnswerBytes: number;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpDownload extends HttpRequest {
  /** Destination of the body of a 200: a new file, readable by the owner only. Any other answer is read into memory. */
  readonly path: string;
  /** A longer document is cut and fails as `oversized`. */
  readonly maxFileBytes: number;
}

export interface HttpDownloadAnswer extends HttpAnswer {
  /** Bytes written to the file; null when the status was not 200 and there is no file. */
  readonly savedBytes: number | null;
}

/** `connection`: never established. `dropped`: ended early. `unreadable`: not HTTP. `source`: our own body failed. */
type HttpFailureReason =
  | 'connection'
  | 'timeout'
  | 'cancelled'
  | 'dropped'
  | 'oversized'
  | 'unreadable'
  | 'source';

/** A request without a usable answer. When `wrote` is false, the host certainly received nothing of it. */
export class HttpFailure extends Error {
  override name = 'HttpFailure';
  readonly reason: HttpFailureReason;
  readonly connected: boolean;
  readonly wrote: boolean;
  /** The status when the answer had begun, otherwise null. */
  readonly status: number | null;
  constructor(reason: HttpFailureReason, progress: Progress, cause: unknown) {
    super(`The request failed: ${reason} ${errorCode(cause)}`.trim(), { cause });
    this.reason = reason;
    this.connected = progress.connected;
    this.wrote = progress.wrote;
    this.status = progress.status;
  }
}

interface HttpClientOptions {
  /** For the whole request, from the name look-up to the last byte of the answer. Default 30 000 ms. */
  readonly timeoutMs?: number;
  /** Only addresses for which it answers true are connected to. */
  readonly allowAddress?: (ip: string) => boolean;
  /** Trusted roots in PEM instead of the system's. */
  readonly ca?: string;
  /** Looks host names up, where `allowAddress` is set; that of the system when left out. */
  readonly lookup?: LookupAll;
}

/** Outgoing requests: one connection each, no redirects followed, no repetition, bounded time and answer. */
export interface HttpClient {
  /** Any status is an answer. Throws HttpFailure. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * Streams a document to disk, never whole in memory. Leaves no file when it throws: HttpFailure, or the error of the
   * disk as it is (`EEXIST` when the file was there before, which then stays).
   */
  download(download: HttpDownload): Promise<HttpDownloadAnswer>;
  /** Connects to the host of `url` (TLS included), sends nothing and closes. Throws HttpFailure. */
  openConnection(url: string): Promise<void>;
}

interface Progress {
  connected: boolean;
  wrote: boolean;
  status: number | null;
}

class BodySourceError extends Error {}

/** See HttpClient. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  return {
    request: (request) =>
      performRequest(request, options, (response) => readBounded(response, request.maxAnswerBytes)).then(
        ({ head, content }) => ({ ...head, body: content }),
      ),
    download: (download) => performDownload(download, options),
    openConnection: (url) => performConnection(url, options),
  };
}

async function performDownload(
  download: HttpDownload,
  options: HttpClientOptions,
): Promise<HttpDownloadAnswer> {
  const { path, maxFileBytes, maxAnswerBytes } = download;
  const nothing = Buffer.alloc(0);
  const { head, content } = await performRequest(download, options, async (response) =>
    response.statusCode === 200
      ? { body: nothing, savedBytes: await saveBounded(response, path, maxFileBytes) }
      : { body: await readBounded(response, maxAnswerBytes), savedBytes: null },
  );
  return { ...head, ...content };
}

type Head = Pick<HttpAnswer, 'status' | 'headers'>;

async function performRequest<T>(
  request: HttpRequest,
  options: HttpClientOptions,
  readContent: (response: IncomingMessage) => Promise<T>,
): Promise<{ head: Head; content: T }> {
  const progress: Progress = { connected: false, wrote: false, status: null };
  const deadline = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
  let socket: Socket | undefined;
  const cut = () => socket?.destroy();
  signal.addEventListener('abort', cut, { once: true });
  try {
    const url = new URL(request.url);
    socket = await openSocket(url, { ...options, signal });
    progress.connected = true;
    signal.throwIfAborted();
    // From here on a part of the request may have left, whatever happens.
    progress.wrote = true;
    const response = await exchange(socket, url, request);
    progress.status = response.statusCode ?? 0;
    const content = await readContent(response);
    return { head: { status: progress.status, headers: response.headers }, content };
  } catch (error) {
    if (error instanceof AnswerFileError) throw error.cause;
    throw new HttpFailure(reasonOf(error, progress, deadline, signal), progress, error);
  } finally {
    signal.removeEventListener('abort', cut);
    socket?.destroy();
  }
}

async function performConnection(url: string, options: HttpClientOptions): Promise<void> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  try {
    const socket = await openSocket(new URL(url), { ...options, signal: deadline });
    socket.destroy();
  } catch (error) {
    const nothing = { connected: false, wrote: false, status: null };
    throw new HttpFailure(deadline.aborted ? 'timeout' : 'connection', nothing, error);
  }
}

function reasonOf(error: unknown, progress: Progress, deadline: AbortSignal, signal: AbortSignal) {
  if (error instanceof OversizedAnswer) return 'oversized';
  if (error instanceof BodySourceError) return 'source';
  if (deadline.aborted) return 'timeout';
  if (signal.aborted) return 'cancelled';
  if (!progress.connected) return 'connection';
  return errorCode(error).startsWith('HPE_') ? 'unreadable' : 'dropped';
}

/** Sends over a socket that is already connected, so that failing to connect is never confused with a later loss. */
function exchange(socket: Socket, url: URL, request: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest({
      method: request.method,
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      headers: headersOf(url, request),
      createConnection: () => socket,
    });
    sending.on('response', resolve);
    sending.on('error', reject);
    sending.on('upgrade', () =>
      reject(Object.assign(new Error('unexpected upgrade'), { code: 'HPE_UPGRADE' })),
    );
    if (request.body === undefined) sending.end();
    else void upload(sending, request.body);
  });
}

function headersOf(url: URL, request: HttpRequest): Record<string, string | number> {
  const body = request.body;
  return {
    'user-agent': 'Faxdesk',
    'accept-encoding': 'identity',
    ...request.headers,
    ...(body === undefined ? {} : { 'content-type': body.contentType }),
    ...(typeof body?.contentLength === 'number' ? { 'content-length': body.contentLength } : {}),
    host: url.host,
  };
}

/** Writes at the pace of the connection, and stops as soon as the host has answered or gone. */
async function upload(sending: ClientRequest, body: HttpBody): Promise<void> {
  const stop = new AbortController();
  sending.once('response', () => stop.abort());
  sending.once('close', () => stop.abort());
  try {
    for await (const chunk of body.chunks()) {
      // An early answer is read before the next write: a host that closes after it makes that write fail.
      await setImmediate();
      if (stop.signal.aborted) return;
      if (!sending.write(chunk)) await once(sending, 'drain', { signal: stop.signal }).catch(() => undefined);
    }
  } catch (error) {
    sending.destroy(new BodySourceError('The request body could not be read.', { cause: error }));
    return;
  }
  if (!stop.signal.aborted) sending.end();
}
