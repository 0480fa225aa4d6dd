import { ERRORS, type ErrorCode, type FixedErrorCode } from '../../shared/errors/all.ts';

interface RefusalOptions {
  /** For the log; the sentence when left out. */
  readonly message?: string;
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Refusal that is answered to the caller: the code determines the status, and the sentence unless the error has a
 * specific one. `message` is for the log, `publicMessage` is the sentence of the answer. Rooms subclass it.
 */
export class RefusalError extends Error {
  override name = 'RefusalError';
  /** Code for the answer's `X-Error-Code`. */
  readonly refusalCode: ErrorCode;
  readonly status: number;
  readonly publicMessage: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: FixedErrorCode, options?: RefusalOptions);
  constructor(code: ErrorCode, options: RefusalOptions & { readonly sentence: string });
  constructor(code: ErrorCode, options: RefusalOptions & { readonly sentence?: string } = {}) {
    const known = ERRORS[code];
    const sentence = options.sentence ?? ('sentence' in known ? known.sentence : known.meaning);
    super(options.message ?? sentence, { cause: options.cause });
    this.refusalCode = code;
    this.status = known.status;
    this.publicMessage = sentence;
    this.headers = options.headers ?? {};
  }
}

/** Returns the error's code such as `ENOSPC` or `SQLITE_BUSY`, or an empty text. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Thrown when sealed data was altered, moved, or belongs to another key. `message` is for the log. */
export class SealError extends RefusalError {
  override name = 'SealError';
  constructor(
    message: string,
    options: Pick<RefusalOptions, 'cause'> = {},
    code: 'other_data_key' | 'document_damaged' = 'other_data_key',
  ) {
    super(code, { ...options, message, headers: code === 'other_data_key' ? { 'Retry-After': '60' } : {} });
  }
}

/** Thrown when the content of a sealed file was altered although its key is right. */
export class AlteredFileError extends SealError {
  override name = 'AlteredFileError';
  /** Errors lose their class between threads and processes. */
  readonly code = ALTERED_FILE;
  constructor(message: string, options: Pick<RefusalOptions, 'cause'> = {}) {
    super(message, options, 'document_damaged');
  }
}

export const ALTERED_FILE = 'ERR_ALTERED_FILE';
