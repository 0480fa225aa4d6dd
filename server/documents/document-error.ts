import { ALTERED_FILE, AlteredFileError, errorCode } from '../platform/errors.ts';

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

/** Failure of a job, as data: errors lose their class and their code between threads and processes. */
export type JobFailure =
  | { refused: { code: DocumentErrorCode; publicMessage: string } }
  | { failed: { code: string; message: string; stack: string } };

export function failureOf(error: unknown): JobFailure {
  if (error instanceof DocumentError)
    return { refused: { code: error.code, publicMessage: error.publicMessage } };
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { failed: { code: errorCode(error), message, stack } };
}

/** The error that {@link failureOf} was given, as far as it can be had again. */
export function errorOf(failure: JobFailure): Error {
  if ('refused' in failure) return new DocumentError(failure.refused.code, failure.refused.publicMessage);
  const { code, message } = failure.failed;
  if (code === ALTERED_FILE) return new AlteredFileError(message);
  return Object.assign(new Error(message), failure.failed);
}
