import { LIMITS } from '../../../shared/limits.ts';
import type { MailPart } from '../../adapters/mail/reading-port.ts';

/** Supported formats, by media type and by file extension; the content is checked later. */
const TYPES = new Map([
  ['application/pdf', 'application/pdf'],
  ['image/tiff', 'image/tiff'],
  ['image/png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/jpg', 'image/jpeg'],
  ['text/plain', 'text/plain'],
]);
const EXTENSION_TYPES = new Map([
  ['pdf', 'application/pdf'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['txt', 'text/plain'],
]);
/** Belongs to the message and not to what it brings. */
const NOT_DOCUMENTS =
  /^(?:application\/(?:x-)?pkcs7-signature|application\/pgp-(?:signature|keys)|text\/(?:x-)?vcard)$/u;

export interface DocumentPart extends MailPart {
  readonly mediaType: string;
}

/**
 * The documents of a message in their order, or why it cannot be faxed: everything that was attached or nothing, since who
 * attached something counts on it.
 */
export function documentsOf(
  parts: readonly MailPart[],
): { readonly documents: DocumentPart[] } | { readonly refusal: string } {
  const attached = parts.filter(({ contentType }) => !NOT_DOCUMENTS.test(contentType));
  const documents = attached.flatMap((part) => {
    const mediaType = mediaTypeOf(part);
    return mediaType === null ? [] : [{ ...part, mediaType }];
  });
  const left = attached.find((part) => mediaTypeOf(part) === null);
  if (left) return { refusal: `${nameOf(left)} cannot be faxed. Attach PDF, TIFF, PNG, JPEG or text files.` };
  if (documents.length > LIMITS.filesPerFax)
    return { refusal: `The message has more than ${LIMITS.filesPerFax} attachments.` };
  return { documents };
}

function mediaTypeOf({ contentType, fileName }: MailPart): string | null {
  const ending = /\.([a-z]+)$/iu.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return (
    TYPES.get(contentType) ??
    (contentType === 'application/octet-stream' ? EXTENSION_TYPES.get(ending) : null) ??
    null
  );
}

const nameOf = ({ fileName }: MailPart) =>
  fileName === '' ? 'An attachment' : `The attachment “${fileName.slice(0, 80)}”`;
