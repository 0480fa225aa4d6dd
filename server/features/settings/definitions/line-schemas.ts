import { z } from 'zod';
import { VISIBLE_LINE } from '../../../../shared/visible-text.ts';

const lineError = (maxLength: number) => `must be 1 to ${maxLength} characters on one line`;

/** Schema of one line without control characters, kept as it is: an address, a path or a secret may begin with a space. */
export const lineOf = (maxLength: number): z.ZodType<string> => {
  const error = lineError(maxLength);
  return z
    .string(error)
    .min(1, error)
    .max(maxLength, error)
    .regex(/^\P{Cc}*$/u, error);
};

/** Schema of one line that people read: trimmed, of visible characters only. */
export const visibleLineOf = (maxLength: number) => {
  const error = lineError(maxLength);
  return z.string(error).trim().min(1, error).max(maxLength, error).regex(VISIBLE_LINE, error);
};
