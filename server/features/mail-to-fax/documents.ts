import { documentTypeOf, MAIL_TYPE_CHOICE, mailTypeOf } from '../../../shared/document-types.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { MailPart } from '../../adapters/mail/reading-port.ts';

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
  if (left) return { refusal: `${nameOf(left)} cannot be faxed. Attach ${MAIL_TYPE_CHOICE} files.` };
  if (documents.length > LIMITS.filesPerFax)
    return { refusal: `The message has more than ${LIMITS.filesPerFax} attachments.` };
  return { documents };
}

/** By the declared content type, or by the file extension of one that is declared as any bytes; the content is checked later. */
function mediaTypeOf({ contentType, fileName }: MailPart): string | null {
  return contentType === 'application/octet-stream'
    ? documentTypeOf(fileName, 'send_mailbox')
    : mailTypeOf(contentType);
}

const nameOf = ({ fileName }: MailPart) =>
  fileName === '' ? 'An attachment' : `The attachment “${fileName.slice(0, 80)}”`;
