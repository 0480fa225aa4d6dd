import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import busboy from 'busboy';

interface ReceivedFile {
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
  /** The parsed body of a JSON request, else null. */
  readonly json: unknown;
}

/** Reads the whole request. Rejects when the client goes away in the middle. */
export async function readRequest(
  request: IncomingMessage,
  time: number,
  pathOf: (path: string) => string,
): Promise<ReceivedRequest> {
  const url = new URL(request.url ?? '/', 'http://emulator');
  const isForm = formTypes.test(request.headers['content-type'] ?? '');
  const { fields, files } = isForm ? await readForm(request) : { fields: [], files: [] };
  return {
    time,
    method: request.method ?? 'GET',
    path: decodeURIComponent(pathOf(url.pathname)),
    query: url.searchParams,
    headers: request.headers,
    fields,
    files,
    json: isForm ? null : await readJson(request),
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

const formTypes = /^multipart\/form-data|^application\/x-www-form-urlencoded/u;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return null;
  }
}

async function readForm(request: IncomingMessage) {
  const fields: Array<readonly [string, string]> = [];
  const files: ReceivedFile[] = [];
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
