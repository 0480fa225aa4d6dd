import { enabledMailboxes, mailboxResource } from '../access/service.ts';
import type { PrintingParts } from './parts.ts';

const MAX_MAILBOXES = 1_000;

/**
 * Returns the ID of the only person who can send faxes, whose documents all printed ones are; null where several can, because
 * the account that a computer reports proves nothing.
 */
export async function soleSender({ db, access }: PrintingParts): Promise<string | null> {
  const mailboxes = await enabledMailboxes(db.read, null, MAX_MAILBOXES);
  const people = await access.holders(
    db.read,
    ['fax:send'],
    mailboxes.map(({ id }) => mailboxResource(id)),
  );
  const [only, second] = people;
  return only && second === undefined ? only.id : null;
}
