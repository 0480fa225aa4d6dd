import { errorCode } from './errors.ts';

/** Sentences for system errors of files that cannot be used at present. They say nothing about the file itself. */
const TRANSIENT_ERRORS: Readonly<Record<string, string>> = {
  EMFILE: 'Faxdesk has too many files open right now.',
  ENFILE: 'This computer has too many files open right now.',
  EACCES: 'Faxdesk is not allowed to use its files. Check the permissions of its data folder.',
  EPERM: 'Faxdesk is not allowed to use its files. Check the permissions of its data folder.',
  EROFS: 'The disk of Faxdesk is read-only right now.',
  EIO: 'The disk of Faxdesk reports errors. Check it.',
};
const OTHER_SENTENCE = 'The disk of Faxdesk is not responding correctly.';
const OTHER_CODES = ['EBUSY', 'EAGAIN', 'ENOMEM', 'ESTALE', 'ENODEV', 'ENXIO'];

/** One sentence for an error of files that may pass by itself or be mended from outside; null for any other. */
export function transientErrorSentence(error: unknown): string | null {
  const code = errorCode(error);
  return TRANSIENT_ERRORS[code] ?? (OTHER_CODES.includes(code) ? OTHER_SENTENCE : null);
}
