import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import busboy from 'busboy';

export interface ReceivedFile {
  readonly name: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** A request as it arrived: decoded fields in wire order. */
export interface ReceivedRequest {
  readonly time: number;
  readonly method: string;
  /** Without prefix and query, e.g. `/faxes`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  readonly files: readonly ReceivedFile[];
}

/** Reads the whole request. Rejects when the client goes away in the middle. */
export async function readRequest(request: IncomingMessage, time: number): Promise<ReceivedRequest> {
  const url = new URL(request.url ?? '/', 'http://emulator');
  const { fields, files } = await readForm(request);
  return {
    time,
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname.replace(/^\/v2(?:\.1)?(?=\/)/u, '')),
    query: url.searchParams,
    headers: request.headers,
    fields,
    files,
  };
}

/** The values of `name` and `name[]`, in wire order. */
export function valuesOf(request: ReceivedRequest, name: string): string[] {
  const wanted = new Set([name, `${name}[]`]);
  return request.fields.filter(([field]) => wanted.has(field)).map(([, value]) => value);
}

/** A field of the form, otherwise of the query. */
export function valueOf(request: ReceivedRequest, name: string): string | null {
  return valuesOf(request, name)[0] ?? request.query.get(name);
}

async function readForm(request: IncomingMessage) {
  const fields: Array<readonly [string, string]> = [];
  const files: ReceivedFile[] = [];
  if (
    !/^multipart\/form-data|^application\/x-www-form-urlencoded/u.test(request.headers['content-type'] ?? '')
  ) {
    for await (const _ of request);
    return { fields, files };
  }
  await new Promise<void>((resolve, reject) => {
    const parser = busboy({ headers: request.headers, defParamCharset: 'utf8' });
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('file', (name, stream, info) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('end', () =>
        files.push(receivedFile(name, info.filename ?? '', info.mimeType, Buffer.concat(chunks))),
      );
    });
    parser.on('close', resolve);
    parser.on('error', reject);
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('The client went away.')));
    request.pipe(parser);
  });
  return { fields, files };
}

function receivedFile(name: string, fileName: string, contentType: string, bytes: Buffer): ReceivedFile {
  return { name, fileName, contentType, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}
