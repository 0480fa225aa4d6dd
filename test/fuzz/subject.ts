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
  /** Maximum time of an answer by the gateway's own limits, where these are longer than ten seconds. */
  readonly hangMs?: number;
  /** Another port than that of the API, with the settings that open it. */
  readonly listener?: { readonly port: number; readonly environment: Readonly<Record<string, string>> };
  /**
   * Returns the outcome of an answer whose protocol has statuses in its body, `200` for a success and `500` for an error of the gateway; null until that part of
   * the body is there.
   */
  outcomeOf?(status: string, body: string): string | null;
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
  return framedRequest(
    'POST',
    path,
    { 'X-API-Key': key, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body,
  );
}

/** Returns a well-framed request with JSON. */
export function jsonRequest(method: string, path: string, key: string, value: unknown): FuzzRequest {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  return framedRequest(method, path, headers, Buffer.from(JSON.stringify(value) ?? 'null'));
}

/** Returns a whole request with a body and its length. */
export function framedRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): FuzzRequest {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return { name: `${method} ${path.slice(0, 80)}`, bytes: Buffer.concat([head, body]), isWhole: true };
}
