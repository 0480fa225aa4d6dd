import type { IppAttribute, IppValue } from '../../../platform/ipp/message.ts';
import { soleValue, valuesOf } from '../../../platform/ipp/values.ts';
import { PrintError } from '../print-error.ts';
import { ANY_FORMAT, COMPRESSIONS, type Compression, FORMATS, type PrintFormat } from '../receive.ts';
import { readDestination } from './destination.ts';
import { JOB_ATTRIBUTES, SUPPORTED_KEYWORDS } from './printer-attributes.ts';
import type { PrinterRequest } from './request.ts';
import { lineOf } from './request.ts';

/** Job that a request describes, with what of it the printer does not do. */
export interface RequestedJob {
  readonly name: string;
  readonly ownerId: string | null;
  readonly user: string | null;
  /** Recipient that the program gave, as a person would type it; null for none. */
  readonly to: string | null;
  readonly isFaxOut: boolean;
  readonly template: readonly IppAttribute[];
  readonly pageRanges: readonly { readonly lower: number; readonly upper: number }[] | null;
  readonly unsupported: readonly IppAttribute[];
}

const KNOWN = new Set<string>(JOB_ATTRIBUTES);

/** Reads the job of a request. Throws PrintError where it insists on what the printer does not do. */
export function requestedJob(request: PrinterRequest): RequestedJob {
  const { attributes, user, person, isFaxOut } = request;
  const { to, others, unsupported: unused } = readDestination(request);
  const unsupported: IppAttribute[] = [...unused];
  const template: IppAttribute[] = [];
  for (const attribute of others) {
    if (isSupported(attribute)) template.push(attribute);
    else unsupported.push(KNOWN.has(attribute.name) ? attribute : unknownAttribute(attribute.name));
  }
  if (unsupported.length > 0 && soleValue(attributes, 'ipp-attribute-fidelity', 'boolean') === true)
    throw new PrintError('attributesNotSupported', 'The printer cannot print the job as it is set.');
  const name =
    lineOf(soleValue(attributes, 'job-name', 'name')) ||
    lineOf(soleValue(attributes, 'document-name', 'name'));
  return {
    name,
    ownerId: person?.id ?? null,
    user,
    to,
    isFaxOut,
    template,
    pageRanges: pageRangesOf(others),
    unsupported,
  };
}

const unknownAttribute = (name: string): IppAttribute => ({
  name,
  values: [{ kind: 'unsupported', value: null }],
});

function isSupported({ name, values }: IppAttribute): boolean {
  if (!KNOWN.has(name)) return false;
  const keywords = SUPPORTED_KEYWORDS[name];
  return keywords === undefined || values.every((value) => isOneOf(value, keywords));
}

const isOneOf = ({ kind, value }: IppValue, keywords: readonly string[]): boolean =>
  (kind === 'keyword' || kind === 'name') && keywords.includes(value);

function pageRangesOf(job: readonly IppAttribute[]): RequestedJob['pageRanges'] {
  const values = valuesOf(job, 'page-ranges');
  if (values.length === 0) return null;
  const ranges = values.flatMap((value) => (value.kind === 'range' ? [value.value] : []));
  const isOrdered = ranges.every(({ lower, upper }) => lower >= 1 && upper >= lower);
  if (ranges.length < values.length || !isOrdered)
    throw new PrintError('attributesNotSupported', 'The pages to print are not valid.');
  return ranges;
}

/** Format and compression of a document that the request brings or announces. */
export interface DocumentForm {
  readonly format: PrintFormat | typeof ANY_FORMAT;
  readonly compression: Compression;
}

/** Reads the form of a document. Throws PrintError for one that cannot be printed. */
export function documentForm(attributes: readonly IppAttribute[]): DocumentForm {
  const compression = soleValue(attributes, 'compression', 'keyword') ?? 'none';
  const known = COMPRESSIONS.find((each) => each === compression);
  if (known === undefined)
    throw new PrintError('compressionNotSupported', 'Documents cannot be compressed in this way.');
  const named = soleValue(attributes, 'document-format', 'mimeMediaType') ?? ANY_FORMAT;
  const format = [...FORMATS, ANY_FORMAT].find((each) => each === named.toLowerCase());
  if (format === undefined)
    throw new PrintError('formatNotSupported', 'Documents of this format cannot be printed to Faxdesk.');
  return { format: format as DocumentForm['format'], compression: known };
}
