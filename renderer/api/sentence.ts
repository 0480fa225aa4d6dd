import { ApiError, UnexpectedAnswerError, UnreachableError } from '../../shared/client/errors.ts';
import type { ErrorCode } from '../../shared/errors/all.ts';
import { t } from '../texts/index.ts';

/** The browser used or made no passkey; the message is for the person. */
export class PasskeyNotUsedError extends Error {
  override name = 'PasskeyNotUsedError';
}

/** Returns the sentence to show for a failed request: the gateway's own where there is one. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.detail;
  if (error instanceof UnreachableError) return t.shell.unreachable;
  if (error instanceof UnexpectedAnswerError) return t.shell.unexpected;
  if (error instanceof PasskeyNotUsedError) return error.message;
  return t.shell.somethingWrong;
}

/** Returns true when the gateway refused with one of these codes. */
export function isRefused(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && error.is(...codes);
}

export function isStatus(error: unknown, ...statuses: number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}

export { ApiError, UnreachableError } from '../../shared/client/errors.ts';
