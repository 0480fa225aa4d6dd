import type { ReadDb } from '../../../db/database.ts';
import { enabledMailbox, enabledMailboxes } from '../../access/service.ts';
import { mailboxOff, noSuchMailbox, notYourMailbox, whichMailbox } from '../errors.ts';
import { mailboxIdsOf, type Reader, resourceOf } from '../visibility.ts';

/**
 * The mailbox a fax is sent for: the one that is named, by id or label, else the only one the sender may send for. Null
 * for none, which takes fax:send on everything. Throws 400 and 403 refusals.
 */
export async function senderMailbox(
  db: ReadDb,
  reader: Reader,
  wanted: string | null,
): Promise<string | null> {
  const { everything, resourceIds } = reader.visible('fax:send');
  if (wanted !== null) {
    const mailbox = await enabledMailbox(db, wanted);
    if (mailbox && reader.holds('fax:send', resourceOf(mailbox.id))) return mailbox.id;
    throw everything ? noSuchMailbox() : notYourMailbox();
  }
  if (everything) return null;
  const [only, another] = await enabledMailboxes(db, mailboxIdsOf(resourceIds), 2);
  if (another) throw whichMailbox();
  if (!only) throw mailboxOff();
  return only.id;
}

/** The mailbox of a fax that is sent again: that of the old one while the sender may send for it, unless another is named. */
export async function mailboxAgain(
  db: ReadDb,
  reader: Reader,
  { before, wanted }: { before: string | null; wanted: string | null },
): Promise<string | null> {
  const isKept = wanted === null && before !== null && reader.holds('fax:send', resourceOf(before));
  if (isKept && (await enabledMailboxes(db, [before], 1)).length > 0) return before;
  return senderMailbox(db, reader, wanted);
}
