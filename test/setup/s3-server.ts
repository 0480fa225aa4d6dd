import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Listener } from './emulators/listener.ts';

interface StoredObject {
  readonly body: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
  readonly checksum: string | null;
  readonly changedAt: Date;
}

/** Ways in which the service fails, until `clear` is called. */
type BucketFault =
  /** Every request is refused. */
  | 'forbidden'
  /** No request is answered. */
  | 'slow'
  /** Other bytes are returned than were stored. */
  | 'alters'
  /** Stored objects are confirmed and lost. */
  | 'loses'
  /** Nothing is removed. */
  | 'keeps'
  /** An error of the service. */
  | 'broken';

/** Few, so that tests see lists of several pages. */
const PAGE = 3;

/** Returns an object storage on the loopback interface, which speaks the protocol of S3, with buckets in memory. */
export async function startS3Server(buckets: readonly string[] = ['faxes']): Promise<S3Server> {
  const server = new S3Server(buckets);
  await server.open();
  return server;
}

export type { S3Server };

class S3Server {
  readonly buckets = new Map<string, Map<string, StoredObject>>();
  /** Method and path of each request. */
  readonly requests: string[] = [];
  /** Headers of each request. */
  readonly headers: IncomingHttpHeaders[] = [];
  readonly #listener = new Listener((request, response) => this.#serve(request, response));
  #fault: BucketFault | null = null;
  /** False: an old service that ignores checksums. */
  knowsChecksums = true;
  /** False: a service that returns all of an object where its first bytes are requested. */
  knowsRanges = true;
  /** Objects of one answer of a list. */
  pageSize = PAGE;
  now = () => new Date();

  constructor(buckets: readonly string[]) {
    for (const name of buckets) this.buckets.set(name, new Map());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  /** Settings of a gateway that keeps its documents in a bucket of this service. */
  settings(bucket = 'faxes'): Record<string, string> {
    return {
      STORAGE_BACKEND: 's3',
      S3_BUCKET: bucket,
      S3_PREFIX: 'office',
      S3_ENDPOINT_URL: this.url,
      S3_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: 'test-key',
      AWS_SECRET_ACCESS_KEY: 'test-secret',
    };
  }

  /** Keys of a bucket, in order. */
  keys(bucket = 'faxes'): string[] {
    return [...(this.buckets.get(bucket)?.keys() ?? [])].sort();
  }

  object(key: string, bucket = 'faxes'): Buffer {
    const found = this.buckets.get(bucket)?.get(key);
    if (!found) throw new Error(`no object ${key}`);
    return found.body;
  }

  put(key: string, body: Buffer, bucket = 'faxes'): void {
    const stored = { body, metadata: {}, checksum: null, changedAt: this.now() };
    this.buckets.get(bucket)?.set(key, stored);
  }

  /** Replaces the content of an object and leaves its metadata. */
  damage(key: string, bucket = 'faxes'): void {
    const found = this.buckets.get(bucket)?.get(key);
    if (found) this.buckets.get(bucket)?.set(key, { ...found, body: Buffer.from('other') });
  }

  /** Replaces the first bytes of an object and leaves its length and metadata. */
  replaceStart(key: string, start: Buffer, bucket = 'faxes'): void {
    const found = this.buckets.get(bucket)?.get(key);
    if (!found) throw new Error(`no object ${key}`);
    const body = Buffer.concat([start, found.body.subarray(start.length)]);
    this.buckets.get(bucket)?.set(key, { ...found, body });
  }

  /** Copies an object with its metadata. */
  copy(key: string, to: string, bucket = 'faxes'): void {
    const objects = this.buckets.get(bucket);
    const found = objects?.get(key);
    if (objects && found) objects.set(to, found);
  }

  fail(fault: BucketFault): void {
    this.#fault = fault;
  }

  clear(): void {
    this.#fault = null;
  }

  open(): Promise<void> {
    return this.#listener.open();
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3');
    this.requests.push(`${request.method} ${url.pathname}`);
    this.headers.push(request.headers);
    const body = await buffer(request);
    if (this.#fault === 'slow') return;
    if (this.#fault === 'forbidden') return sendError(request, response, 403, 'AccessDenied');
    if (this.#fault === 'broken') return sendError(request, response, 500, 'InternalError');
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return sendError(request, response, 403, 'AccessDenied');
    const [bucketName = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
    const objects = this.buckets.get(bucketName);
    if (!objects) return sendError(request, response, 404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '') return this.#list(response, objects, url.searchParams);
    if (request.method === 'PUT') return this.#put(request, response, { objects, key, body });
    if (request.method === 'DELETE') {
      if (this.#fault !== 'keeps') objects.delete(key);
      else return sendError(request, response, 500, 'InternalError');
      return void response.writeHead(204).end();
    }
    return this.#get(request, response, { objects, key });
  }

  #put(
    request: IncomingMessage,
    response: ServerResponse,
    { objects, key, body }: { objects: Map<string, StoredObject>; key: string; body: Buffer },
  ): void {
    const { headers } = request;
    const digest = createHash('sha256').update(body).digest();
    if (headers['x-amz-content-sha256'] !== digest.toString('hex'))
      return sendError(request, response, 400, 'XAmzContentSHA256Mismatch');
    const checksum = headers['x-amz-checksum-sha256'];
    if (this.knowsChecksums && checksum !== undefined && checksum !== digest.toString('base64'))
      return sendError(request, response, 400, 'BadDigest');
    if (headers['if-none-match'] === '*' && objects.has(key))
      return sendError(request, response, 412, 'PreconditionFailed');
    const metadata: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers))
      if (name.startsWith('x-amz-meta-')) metadata[name] = String(value);
    const stored = {
      body,
      metadata,
      checksum: this.knowsChecksums && checksum !== undefined ? String(checksum) : null,
      changedAt: this.now(),
    };
    if (this.#fault !== 'loses') objects.set(key, stored);
    response.writeHead(200, { ETag: '"0"' }).end();
  }

  #get(
    request: IncomingMessage,
    response: ServerResponse,
    { objects, key }: { objects: Map<string, StoredObject>; key: string },
  ): void {
    const found = objects.get(key);
    if (!found) return sendError(request, response, 404, 'NoSuchKey');
    const whole =
      this.#fault === 'alters' ? Buffer.concat([found.body.subarray(1), Buffer.from('?')]) : found.body;
    const [, last] = /^bytes=0-(\d+)$/u.exec(request.headers.range ?? '') ?? [];
    if (last !== undefined && whole.length === 0) return sendError(request, response, 416, 'InvalidRange');
    const body = last === undefined || !this.knowsRanges ? whole : whole.subarray(0, Number(last) + 1);
    const asksForChecksum = request.headers['x-amz-checksum-mode'] === 'ENABLED';
    response.writeHead(body.length < whole.length ? 206 : 200, {
      'Content-Length': body.length,
      'Last-Modified': found.changedAt.toUTCString(),
      ...found.metadata,
      ...(asksForChecksum && found.checksum !== null ? { 'x-amz-checksum-sha256': found.checksum } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #list(response: ServerResponse, objects: Map<string, StoredObject>, query: URLSearchParams): void {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const prefix = query.get('prefix') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, this.pageSize);
    const contents = page.map((key) => {
      const { body, changedAt } = objects.get(key) as StoredObject;
      return `<Contents><Key>${key}</Key><Size>${body.length}</Size><LastModified>${changedAt.toISOString()}</LastModified></Contents>`;
    });
    const isTruncated = keys.length > this.pageSize;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    response.writeHead(200, { 'Content-Type': 'application/xml' });
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  }
}

function sendError(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(
    request.method === 'HEAD'
      ? undefined
      : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}
