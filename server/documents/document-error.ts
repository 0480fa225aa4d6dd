/** Decides the HTTP status: 400, 413, 415. */
export type DocumentErrorCode = 'invalid' | 'too_large' | 'unsupported';

/** A document that cannot be taken. `publicMessage` is one sentence for the sender. */
export class DocumentError extends Error {
  override name = 'DocumentError';
  readonly code: DocumentErrorCode;
  readonly publicMessage: string;

  constructor(code: DocumentErrorCode, publicMessage: string, options?: { cause?: unknown }) {
    super(`${code}: ${publicMessage}`, options);
    this.code = code;
    this.publicMessage = publicMessage;
  }
}
