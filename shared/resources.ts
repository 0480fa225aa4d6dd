const MAILBOX = 'mailbox:';
const DOCUMENT = 'inbound:';

// Resources on which roles are given, beside the installation: their ids are built and parsed here.

/** The resource of a mailbox; it covers the faxes in it. */
export const mailboxResource = (mailboxId: string): string => MAILBOX + mailboxId;

/** The resource of one received fax. */
export const documentResource = (faxId: string): string => DOCUMENT + faxId;

/** The id of the mailbox that a resource is; null for another kind. */
export const mailboxOfResource = (resourceId: string): string | null => idAfter(MAILBOX, resourceId);

/** The id of the received fax that a resource is; null for another kind. */
export const documentOfResource = (resourceId: string): string | null => idAfter(DOCUMENT, resourceId);

function idAfter(prefix: string, id: string): string | null {
  return id.startsWith(prefix) ? id.slice(prefix.length) : null;
}
