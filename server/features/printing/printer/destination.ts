import type { IppAttribute } from '../../../platform/ipp/message.ts';
import { attribute, soleValue } from '../../../platform/ipp/values.ts';
import { PrintError } from '../print-error.ts';
import { DESTINATIONS } from './printer-attributes.ts';
import type { PrinterRequest } from './request.ts';

/** Recipient of a job (PWG 5100.15), apart from its other attributes. */
interface JobDestination {
  /** As a person would type it; null for none. */
  readonly to: string | null;
  readonly others: readonly IppAttribute[];
  /** Parts of the recipient that Faxdesk does not use, such as a prefix: it adds that of its own line. */
  readonly unsupported: readonly IppAttribute[];
}

/** Digits with the separators of RFC 3966, and spaces. */
const NUMBER = /^\+?[\d(). /-]{1,40}$/u;

/** Reads the recipient of a job. Throws PrintError for several, and for what is no telephone number. */
export function readDestination({ job, isFaxOut }: Pick<PrinterRequest, 'job' | 'isFaxOut'>): JobDestination {
  const named = isFaxOut ? job.find(({ name }) => name === DESTINATIONS) : undefined;
  if (named === undefined) return { to: null, others: job, unsupported: [] };
  const [first, second] = named.values;
  const uri = first?.kind === 'collection' ? soleValue(first.value, 'destination-uri', 'uri') : null;
  if (first?.kind !== 'collection' || uri === null)
    throw new PrintError('badRequest', 'The recipient cannot be read.');
  if (second !== undefined)
    throw new PrintError('attributesNotSupported', 'A printed fax can have one recipient only.');
  const unused = first.value.filter(({ name }) => name !== 'destination-uri');
  return {
    to: numberOf(uri),
    others: job.filter((each) => each !== named),
    unsupported: unused.length === 0 ? [] : [attribute(DESTINATIONS, 'collection', unused)],
  };
}

function numberOf(uri: string): string {
  if (!/^tel:/iu.test(uri))
    throw new PrintError('uriSchemeNotSupported', 'The recipient must be a telephone number.');
  const number = decoded(uri.slice('tel:'.length)).trim();
  if (!NUMBER.test(number) || !/\d/u.test(number))
    throw new PrintError('attributesNotSupported', 'The number of the recipient is not valid.');
  return number;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
