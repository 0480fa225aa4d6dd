import { type ListedMail, type MailFolder, MailFolderError } from '../../adapters/mail/folder-port.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { MailToFaxParts } from './parts.ts';
import { findMessage, forgetRefused, insertMessage } from './store/message-store.ts';
import { takeMessage, waitAgain } from './take-message.ts';
import type { MessageRow } from './types.ts';

export const SENT_FOLDER = 'Faxdesk sent';
export const REFUSED_FOLDER = 'Faxdesk refused';

const DAY_MS = 24 * 3_600_000;
/** What became no fax is kept so long. */
const KEPT_MS = 90 * DAY_MS;
const FORGOTTEN_AT_ONCE = 500;

const NOT_NOW = 'The message could not be taken yet; the log has the details.';

/** What one look came to. */
export interface Looked {
  /** There is more to do at once. */
  readonly hasMore: boolean;
  /** Messages that could not be taken, for reasons that are not theirs. */
  readonly failed: number;
}

/**
 * Takes what lies in the folder, oldest first, and puts it away. A message whose outcome is recorded is only put away, so that
 * one is taken once, however often a gateway is killed. One that fails holds up no other. Throws MailFolderError.
 */
export async function lookAt(
  parts: MailToFaxParts,
  folder: MailFolder,
  { accountId, most, signal }: { accountId: string; most: number; signal: AbortSignal },
): Promise<Looked> {
  const listed = await folder.list();
  let failed = 0;
  let done = 0;
  for (const mail of listed) {
    if (signal.aborted || done === most) return { hasMore: true, failed };
    const row = await rowOf(parts, {
      account: accountId,
      uid_validity: folder.uidValidity,
      uid: String(mail.uid),
    });
    if (isResting(parts, row)) continue;
    if (!(await takeOne(parts, folder, { row, listed: mail }))) failed += 1;
    done += 1;
  }
  await forgetOld(parts);
  return { hasMore: false, failed };
}

const isResting = ({ clock }: MailToFaxParts, { state, retry_at }: MessageRow) =>
  state === 'waiting' && retry_at !== null && epochOf(retry_at) > clock.now();

/** False when it could not be taken now. */
async function takeOne(
  parts: MailToFaxParts,
  folder: MailFolder,
  taken: { readonly row: MessageRow; readonly listed: ListedMail },
): Promise<boolean> {
  const { row, listed } = taken;
  if (row.state === 'waiting') {
    try {
      await takeMessage(parts, folder, taken);
    } catch (error) {
      // Whatever it is, it may concern this message alone; where the store is away this fails as well.
      const isOfServer = error instanceof MailFolderError;
      await waitAgain(
        parts,
        row,
        isOfServer || error instanceof RefusalError ? error.publicMessage : NOT_NOW,
      );
      if (isOfServer) throw error;
      parts.logger.warn({ error }, 'a message could not be taken');
      return false;
    }
  }
  const { account, uid_validity, uid } = row;
  const after = await findMessage(parts.db.read, { account, uid_validity, uid });
  if (!after || after.state === 'waiting') return true;
  const isSent = after.state === 'accepted' || after.state === 'duplicate';
  await folder.putAway(listed.uid, isSent ? SENT_FOLDER : REFUSED_FOLDER);
  return true;
}

async function rowOf(
  { db, clock }: MailToFaxParts,
  place: Pick<MessageRow, 'account' | 'uid_validity' | 'uid'>,
): Promise<MessageRow> {
  const found = await findMessage(db.read, place);
  if (found) return found;
  const at = isoTime(clock.now());
  const row: MessageRow = {
    id: newId(),
    ...place,
    state: 'waiting',
    sender: null,
    principal_id: null,
    message_id: null,
    identity: null,
    to_number: null,
    fax_id: null,
    problem: null,
    begun: 0,
    tries: 0,
    retry_at: null,
    recorded_at: at,
    updated_at: at,
  };
  await db.transaction((tx) => insertMessage(tx, row));
  return row;
}

async function forgetOld({ db, clock }: MailToFaxParts): Promise<void> {
  await db.transaction((tx) => forgetRefused(tx, isoTime(clock.now() - KEPT_MS), FORGOTTEN_AT_ONCE));
}
