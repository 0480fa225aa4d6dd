import type { Random } from './random.ts';

export interface FuzzRequest {
  /** `POST /path`, for who reads what went wrong. */
  readonly name: string;
  readonly bytes: Buffer;
  /** True when the request is complete; otherwise the sender ends its side. */
  readonly isWhole: boolean;
}

export interface FuzzTargets {
  /** Query of a callback that belongs to a fax under way. */
  readonly callback: string;
  /** An installation key, for uploads. */
  readonly key: string;
  /** User and password of notifications. */
  readonly basic: string;
  /** Ids that answers had, newest last; it grows while requests are made. */
  readonly ids: readonly string[];
}

/** One kind of input that is tried with random content. */
export interface FuzzSubject {
  /** Requests at the same time. */
  readonly connections: number;
  makeRequest(random: Random, targets: FuzzTargets): FuzzRequest;
}

const BOUNDARY = 'fuzz-upload-boundary';

/** Returns a well-framed upload of one file with fields. */
export function uploadRequest(
  path: string,
  key: string,
  fields: Readonly<Record<string, string>>,
  file: { readonly name: string; readonly type: string; readonly bytes: Buffer },
): FuzzRequest {
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n`;
  const body = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(`${part(`name="${name}"`)}\r\n${value}\r\n`),
    ),
    Buffer.from(`${part(`name="file"; filename="${file.name}"`)}Content-Type: ${file.type}\r\n\r\n`),
    file.bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  return framedRequest('POST', path, key, `multipart/form-data; boundary=${BOUNDARY}`, body);
}

/** Returns a well-framed request with JSON. */
export function jsonRequest(method: string, path: string, key: string, value: unknown): FuzzRequest {
  return framedRequest(method, path, key, 'application/json', Buffer.from(JSON.stringify(value) ?? 'null'));
}

function framedRequest(method: string, path: string, key: string, type: string, body: Buffer): FuzzRequest {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `X-API-Key: ${key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ];
  const head = Buffer.from(lines.map((line) => `${line}\r\n`).join('') + '\r\n', 'latin1');
  return { name: `${method} ${path.slice(0, 80)}`, bytes: Buffer.concat([head, body]), isWhole: true };
}
