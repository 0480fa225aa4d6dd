import type { Readable } from 'node:stream';
import type { Response } from 'express';

/** A JSON answer that needs more than its body. */
export class Reply<T> {
  readonly body: T;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  constructor(
    body: T,
    options: { status?: number; headers?: Readonly<Record<string, string | readonly string[]>> } = {},
  ) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

/** An answer of bytes. */
export class FileReply {
  readonly source: Uint8Array | Readable;
  readonly contentType: string;
  readonly sizeBytes: number | undefined;
  readonly fileName: string | undefined;
  /** True for a file that a browser saves and never shows. */
  readonly isDownload: boolean;
  /** Digest of the bytes, lowercase hex: its reader can ask for parts of them, and whether they changed. */
  readonly sha256: string | null;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    source: Uint8Array | Readable,
    options: {
      contentType: string;
      sizeBytes?: number;
      fileName?: string;
      isDownload?: boolean;
      sha256?: string | null;
      headers?: Record<string, string>;
    },
  ) {
    this.source = source;
    this.contentType = options.contentType;
    this.sizeBytes = source instanceof Uint8Array ? source.byteLength : options.sizeBytes;
    this.fileName = options.fileName;
    this.isDownload = options.isDownload ?? false;
    this.sha256 = options.sha256 ?? null;
    this.headers = options.headers ?? {};
  }
}

/** Answer that stays open: `open` receives the response once its head was sent, and its owner ends it. */
export class OpenReply {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly open: (response: Response) => void;
  constructor(options: {
    contentType: string;
    headers?: Record<string, string>;
    open: (response: Response) => void;
  }) {
    this.contentType = options.contentType;
    this.headers = options.headers ?? {};
    this.open = options.open;
  }
}

/** A Content-Disposition that shows or saves the bytes under a name in any script (RFC 6266, RFC 8187). */
export function disposition(fileName: string, isDownload: boolean): string {
  const use = isDownload ? 'attachment' : 'inline';
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  if (plain === fileName) return `${use}; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${use}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
