import type { MailAttachment, MailMessage, MailServer } from '../../adapters/mail/port.ts';
import { mailboxLabels } from '../access/service.ts';
import type { RecordedFax } from '../inbound/types.ts';
import { recipientsOfConnector } from './create-items.ts';
import { fileNameOf, messageOf, wordsOf } from './message.ts';
import type { IntakeParts } from './parts.ts';
import { serverOf, unencryptedProblem } from './server-of.ts';
import { findConnector } from './store/connector-store.ts';
import { recipientsOf } from './store/recipient-store.ts';
import type { ConnectorRow, ItemRow } from './types.ts';

/** An attempt that can be made, or why none can. */
type Prepared =
  | {
      readonly server: MailServer;
      readonly message: MailMessage;
      /** Earlier recipients that the connector no longer names. */
      readonly dropped: readonly string[];
    }
  /** A person has to change something first. */
  | { readonly failure: string }
  /** An attempt that cannot be made now, but perhaps later. */
  | { readonly refused: string; readonly targets: readonly string[] };

/** Prepares the message to hand over now and the server for it. */
export async function prepare(parts: IntakeParts, item: ItemRow): Promise<Prepared> {
  const connector = await findConnector(parts.db.read, item.connector_id);
  if (!connector) return { failure: 'The e-mail connector was removed.' };
  const { targets, dropped } = await targetsOf(parts, item, connector);
  if (connector.enabled === 0) return { refused: 'The e-mail connector is off.', targets };
  const problem = unencryptedProblem(parts, connector);
  if (problem !== null) return { failure: problem };
  const fax = (await parts.inbound.recorded(parts.db.read, item.fax_id))?.fax;
  const attachment = attachmentOf(parts, item, fax);
  if (typeof attachment === 'string') return { failure: attachment };
  const original = await originalOf(parts, item, attachment?.sizeBytes ?? 0);
  const message = messageOf(item, connector, {
    to: targets,
    words: wordsOf(item, parts.settings.locality(), await namesOf(parts, item)),
    link: linkOf(parts, item),
    problem: fax?.problem ?? null,
    attachment,
    original,
    at: parts.clock.now(),
  });
  return { server: serverOf(parts, connector), message, dropped };
}

/** The recipients of the connector as it is now, but for those who have it or may have it. */
async function targetsOf(
  { db }: IntakeParts,
  item: ItemRow,
  connector: ConnectorRow,
): Promise<{ targets: string[]; dropped: string[] }> {
  const known = await recipientsOf(db.read, [item.id]);
  const settled = known.filter(({ state }) => state === 'delivered' || state === 'uncertain');
  const done = new Set(settled.map(({ address }) => address));
  const wanted = recipientsOfConnector(connector);
  return {
    targets: wanted.filter((address) => !done.has(address)),
    dropped: known.map(({ address }) => address).filter((one) => !done.has(one) && !wanted.includes(one)),
  };
}

async function namesOf({ db, contacts }: IntakeParts, { mailbox_id, from_number }: ItemRow) {
  const labels = mailbox_id === null ? new Map<string, string>() : await mailboxLabels(db.read, [mailbox_id]);
  return {
    mailbox: labels.get(mailbox_id ?? '') ?? null,
    contact: from_number === null ? null : await contacts.nameOf(from_number, mailbox_id),
  };
}

function linkOf({ settings }: IntakeParts, { fax_id }: ItemRow): string | null {
  const base = settings.publicUrl();
  return base === null ? null : `${base}/admin/ui/inbox/${fax_id}`;
}

/** Returns the original that the pages carry; null for ordinary pages, and where it would make the message too large. */
async function originalOf(
  { db, inbound, settings }: IntakeParts,
  { fax_id }: ItemRow,
  attachedBytes: number,
): Promise<MailAttachment | null> {
  const original = await inbound.storedOriginal(db.read, fax_id);
  if (original === null || original.sizeBytes + attachedBytes > settings.maxAttachmentBytes()) return null;
  const { name, fileName, mediaType: contentType, sizeBytes } = original;
  return { fileName, contentType, sizeBytes, open: async () => (await inbound.openStored(name)).stream };
}

const MB = 1024 * 1024;

/** Null for a link in its place; a sentence when there can be neither. */
function attachmentOf(
  parts: IntakeParts,
  item: ItemRow,
  fax: RecordedFax['fax'] | undefined,
): MailAttachment | null | string {
  const { settings, inbound } = parts;
  const name = fax?.document ?? null;
  if (!fax || name === null) return 'The document of the fax was deleted.';
  const sizeBytes = fax.size_bytes ?? 0;
  const maxBytes = settings.maxAttachmentBytes();
  if (sizeBytes <= maxBytes)
    return {
      fileName: fileNameOf(item),
      contentType: 'application/pdf',
      sizeBytes,
      open: async () => (await inbound.openStored(name)).stream,
    };
  const large = `The document has ${Math.ceil(sizeBytes / MB)} MB; attachments can have at most ${maxBytes / MB} MB.`;
  if (!settings.linksLarge()) return large;
  return linkOf(parts, item) === null
    ? `${large} A link cannot be sent either, because Faxdesk has no public address.`
    : null;
}
