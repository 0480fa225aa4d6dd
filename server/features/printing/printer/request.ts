import { FAX_PRINTER_PATH, PRINTER_PATH } from '../../../../shared/printing.ts';
import { INVISIBLE_CHARACTERS } from '../../../../shared/visible-text.ts';
import { OPERATION } from '../../../platform/ipp/codes.ts';
import { GROUP, type IppAttribute, type IppMessage } from '../../../platform/ipp/message.ts';
import { groupOf, soleValue, valuesOf } from '../../../platform/ipp/values.ts';
import { PrintError } from '../print-error.ts';
import type { Printing } from '../print-password.ts';

/** A request to the printer whose form is right. */
export interface PrinterRequest {
  readonly operation: number;
  readonly attributes: readonly IppAttribute[];
  /** Attributes of the job that it creates. */
  readonly job: readonly IppAttribute[];
  /** Address of the printer as the computer names it, without a job. */
  readonly uri: string;
  /** True for the printer that takes the number of the recipient with a job. */
  readonly isFaxOut: boolean;
  /** Number of the job in its address; null for none. */
  readonly jobNumber: number | null;
  /** Person who proved to be it with a print password; null on this computer. */
  readonly person: Printing | null;
  /** Account, without proof unless it is that person's; null where the computer reports none. */
  readonly user: string | null;
  readonly document: AsyncIterable<Buffer>;
}

/** Address that a request came to, and its person. */
interface Origin {
  /** Scheme and host of the printer's addresses, such as `ipp://127.0.0.1:6310`. */
  readonly origin: string;
  readonly person: Printing | null;
}

const OPERATIONS = new Set<number>(Object.values(OPERATION));
const CHARSETS = ['utf-8', 'us-ascii'];
const MAJOR_VERSIONS = [1, 2];

/**
 * Checks the form of a request (RFC 8011, 4.1) and returns it. Throws PrintError.
 */
export function readRequest(
  message: IppMessage,
  { origin, person, document }: Origin & { readonly document: AsyncIterable<Buffer> },
): PrinterRequest {
  const { version, code, requestId } = message;
  if (!MAJOR_VERSIONS.includes(version.major))
    throw new PrintError('versionNotSupported', 'This version of IPP is not supported.');
  if (requestId < 1) throw new PrintError('badRequest', 'The request has no number.');
  const attributes = operationAttributes(message);
  if (!OPERATIONS.has(code))
    throw new PrintError('operationNotSupported', 'The printer does not have this operation.');
  const user = person?.login ?? lineOf(soleValue(attributes, 'requesting-user-name', 'name'));
  return {
    operation: code,
    attributes,
    job: groupOf(message, GROUP.job),
    person,
    user: user === '' ? null : user,
    document,
    ...targetOf(attributes, origin),
  };
}

/** Returns a text of a computer as one line of visible characters. */
export const lineOf = (text: string | null): string =>
  (text ?? '').replaceAll(INVISIBLE_CHARACTERS, ' ').toWellFormed().trim();

function operationAttributes({ groups }: IppMessage): readonly IppAttribute[] {
  const [first] = groups;
  const [charset, language] = first?.attributes ?? [];
  if (
    first?.tag !== GROUP.operation ||
    charset?.name !== 'attributes-charset' ||
    language?.name !== 'attributes-natural-language'
  )
    throw new PrintError('badRequest', 'The request does not begin with its charset and language.');
  const named = soleValue(first.attributes, 'attributes-charset', 'charset')?.toLowerCase() ?? '';
  if (!CHARSETS.includes(named)) throw new PrintError('charsetNotSupported', 'The charset must be UTF-8.');
  const seen = new Set(first.attributes.map(({ name }) => name));
  if (seen.size < first.attributes.length)
    throw new PrintError('badRequest', 'The request has an attribute twice.');
  return first.attributes;
}

function targetOf(
  attributes: readonly IppAttribute[],
  origin: string,
): Pick<PrinterRequest, 'uri' | 'isFaxOut' | 'jobNumber'> {
  const printer = soleValue(attributes, 'printer-uri', 'uri');
  const job = soleValue(attributes, 'job-uri', 'uri');
  const named = printer ?? job;
  if (named === null) throw new PrintError('badRequest', 'The request names no printer.');
  const address = named.replace(/^ipps?:/u, 'http:');
  if (!URL.canParse(address)) throw new PrintError('badRequest', 'The address of the printer is not valid.');
  const url = new URL(address);
  const match = /^(\/ipp\/(?:print|faxout))(?:\/(\d{1,10}))?$/u.exec(url.pathname);
  if (!match) throw new PrintError('notFound', 'There is no such printer or job.');
  const [, path, digits] = match;
  const number = digits === undefined ? null : Number(digits);
  const isFaxOut = path === FAX_PRINTER_PATH;
  return {
    uri: `${origin}${isFaxOut ? FAX_PRINTER_PATH : PRINTER_PATH}`,
    isFaxOut,
    jobNumber: number ?? soleValue(attributes, 'job-id', 'integer'),
  };
}

/** Returns the keywords of an attribute. */
export const keywordsOf = (attributes: readonly IppAttribute[], name: string): string[] =>
  valuesOf(attributes, name).flatMap((value) => (value.kind === 'keyword' ? [value.value] : []));
