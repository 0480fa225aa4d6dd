import type { ReadDb } from '../../../db/database.ts';
import {
  type Caller,
  enabledMailbox,
  enabledMailboxes,
  mailboxResource,
  visibleTo,
} from '../../access/service.ts';
import { mailboxOff, noSuchMailbox, notAllowed, notYourMailbox, whichMailbox } from '../errors.ts';

/**
 * Returns the mailbox a fax is sent for: the one named by ID or label, else the only one the sender may send for. Null
 * for none, which requires fax:send on everything. Throws 400 and 403 refusals.
 */
export async function senderMailbox(
  db: ReadDb,
  caller: Caller,
  wanted: string | null,
): Promise<string | null> {
  // Faxes from a folder or by e-mail pass no route that checks this permission.
  if (!caller.holdsAnywhere('fax:send')) throw notAllowed();
  const { everything, mailboxIds } = visibleTo(caller, 'fax:send');
  if (wanted !== null) {
    const mailbox = await enabledMailbox(db, wanted);
    if (mailbox && caller.holds('fax:send', mailboxResource(mailbox.id))) return mailbox.id;
    throw everything ? noSuchMailbox() : notYourMailbox();
  }
  if (everything) return null;
  const [only, another] = await enabledMailboxes(db, mailboxIds, 2);
  if (another) throw whichMailbox();
  if (!only) throw mailboxOff();
  return only.id;
}

/** The mailbox of a fax that is sent again: that of the old one while the sender may send for it, unless another is named. */
export async function mailboxForResend(
  db: ReadDb,
  caller: Caller,
  { before, wanted }: { before: string | null; wanted: string | null },
): Promise<string | null> {
  const isKept = wanted === null && before !== null && caller.holds('fax:send', mailboxResource(before));
  if (isKept && (await enabledMailboxes(db, [before], 1)).length > 0) return before;
  return senderMailbox(db, caller, wanted);
}
