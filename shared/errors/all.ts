export { ERROR_CODE_HEADER } from './header.ts';

import { accessErrors } from './access.ts';
import { assistantErrors } from './assistant.ts';
import { directErrors } from './direct.ts';
import { faxErrors } from './faxes.ts';
import { httpErrors } from './http.ts';
import { installationErrors } from './installation.ts';

/**
 * Everything that a request can be refused with, by the code in the header `X-Error-Code`. A code keeps its name and its
 * status for good; programs go by it, people read the sentence.
 */
export const ERRORS = {
  ...httpErrors,
  ...accessErrors,
  ...faxErrors,
  ...assistantErrors,
  ...installationErrors,
  ...directErrors,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Codes whose sentence is fixed. */
export type FixedErrorCode = {
  [C in ErrorCode]: (typeof ERRORS)[C] extends { sentence: string } ? C : never;
}[ErrorCode];

/** The codes of one status. */
export type ErrorCodeOf<S extends number, C extends ErrorCode = ErrorCode> = {
  [K in C]: (typeof ERRORS)[K] extends { status: S } ? K : never;
}[C];

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Returns the meaning of a code, for readers of the API description. */
export function meaningOf(code: ErrorCode): string {
  const known = ERRORS[code];
  return 'sentence' in known ? known.sentence : known.meaning;
}
