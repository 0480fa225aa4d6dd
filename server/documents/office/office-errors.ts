import { type OfficeType, phraseOf } from '../../../shared/document-types.ts';
import { RefusalError } from '../../platform/errors.ts';
import { DocumentError } from '../document-error.ts';
import type { OfficeResult } from '../office-port.ts';

const LATE = 'LibreOffice did not finish this document in time. Save it as PDF and add that.';
const FAILED = 'LibreOffice could not open this document; it may be damaged. Save it as PDF and add that.';

/** The refusal of a document for which there is no LibreOffice. */
export function officeMissing(type: OfficeType): DocumentError {
  return new DocumentError(
    'unsupported',
    `Faxdesk needs LibreOffice to open ${phraseOf(type)} and did not find it. Save the document as PDF and add that, or install LibreOffice on the computer that Faxdesk runs on.`,
  );
}

export const conversionFailed = () => new DocumentError('invalid', FAILED);

/** The error of a document that was not converted. */
export function officeError(
  problem: Extract<OfficeResult, { problem: string }>['problem'],
  type: OfficeType,
): Error {
  switch (problem) {
    case 'missing':
      return officeMissing(type);
    case 'busy':
      return new RefusalError('too_busy');
    case 'late':
      return new DocumentError('invalid', LATE);
    case 'failed':
      return conversionFailed();
    default:
      return problem satisfies never;
  }
}
