import type { ErrorCode } from '../errors/all.ts';

/** A refusal. `detail` is the sentence of the answer; `retryAfter` is in seconds. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** Code of the header `X-Error-Code`; null when the response has none. A newer gateway may send other codes. */
  readonly code: string | null;
  readonly detail: string;
  readonly retryAfter: number | null;
  readonly requestId: string | null;
  /** The answer as it came: parsed JSON, or null when it was none. */
  readonly body: unknown;
  constructor(answer: {
    status: number;
    code: string | null;
    detail: string;
    retryAfter: number | null;
    requestId: string | null;
    body: unknown;
  }) {
    super(answer.detail);
    this.status = answer.status;
    this.code = answer.code;
    this.detail = answer.detail;
    this.retryAfter = answer.retryAfter;
    this.requestId = answer.requestId;
    this.body = answer.body;
  }

  /** Returns true when the code is one of these. */
  is(...codes: ErrorCode[]): boolean {
    return codes.some((code) => code === this.code);
  }
}

/** No answer, or only part of one: the request may or may not have been carried out. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/** An answer that does not fit the contract: another release, or not a Faxdesk gateway. */
export class UnexpectedAnswerError extends Error {
  override name = 'UnexpectedAnswerError';
  readonly status: number;
  readonly requestId: string | null;
  constructor(message: string, answer: { status: number; requestId: string | null }, options?: ErrorOptions) {
    super(message, options);
    this.status = answer.status;
    this.requestId = answer.requestId;
  }
}
