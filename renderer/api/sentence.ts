import { ApiError, UnexpectedAnswerError, UnreachableError } from '../../shared/client/errors.ts';
import { t } from '../texts/index.ts';

/** What a person is told about a failed request: the gateway's own sentence where there is one. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.detail;
  if (error instanceof UnreachableError) return t.shell.unreachable;
  if (error instanceof UnexpectedAnswerError) return t.shell.unexpected;
  return t.shell.somethingWrong;
}

export function isStatus(error: unknown, ...statuses: number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}

export { ApiError, UnreachableError } from '../../shared/client/errors.ts';
