import { type MailFolder, MailFolderError } from '../../adapters/mail/folder-port.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { MailToFaxParts } from './parts.ts';
import { findMessage, insertMessage } from './store/message-store.ts';
import {
  type BegunMessage,
  beginMessage,
  finishMessage,
  type TakenMessage,
  waitAgain,
} from './take-message.ts';
import type { MessageRow } from './types.ts';

export const SENT_FOLDER = 'Faxdesk sent';
export const REFUSED_FOLDER = 'Faxdesk refused';

/** Messages that are checked at once, each of another domain. */
const MOST_BESIDE = 4;
const MOST_HELD = 8 * 1024 * 1024;

const NOT_CHECKED = 'The signature of the message could not be checked now.';
const NOT_NOW = 'The message could not be taken yet; the log has the details.';

/** What one look came to. */
export interface Looked {
  /** There is more to do at once. */
  readonly hasMore: boolean;
  /** Messages that could not be taken, for reasons that are not theirs. */
  readonly failed: number;
}

/** One look at the mailbox. */
interface Round {
  readonly parts: MailToFaxParts;
  readonly folder: MailFolder;
  readonly signal: AbortSignal;
  readonly lanes: Lanes;
  /** Domains whose messages could not be checked now. */
  readonly silent: Set<string>;
  /** Bytes of messages that wait for their turn. */
  held: number;
  /** Messages that could not be taken. */
  failed: number;
  /** Of the server: there is no use in going on. */
  broken: MailFolderError | null;
}

/**
 * Takes what lies in the folder, oldest first, and puts it away. A message whose outcome is recorded is only put away, so that
 * one is taken once, however often a gateway is killed. One that fails holds up no other, and one whose check takes long holds up
 * those of its own domain alone. Throws MailFolderError.
 */
export async function lookAt(
  parts: MailToFaxParts,
  folder: MailFolder,
  { accountId, most, signal }: { accountId: string; most: number; signal: AbortSignal },
): Promise<Looked> {
  const listed = await folder.list();
  const lanes = createLanes(MOST_BESIDE);
  const round: Round = { parts, folder, signal, lanes, silent: new Set(), held: 0, failed: 0, broken: null };
  let done = 0;
  let hasMore = false;
  for (const mail of listed) {
    if (round.broken) break;
    hasMore = signal.aborted || done === most;
    if (hasMore) break;
    const row = await rowOf(parts, {
      account: accountId,
      uid_validity: folder.uidValidity,
      uid: String(mail.uid),
    });
    if (isResting(parts, row)) continue;
    await takeOne(round, { row, listed: mail });
    done += 1;
  }
  await lanes.settled();
  if (round.broken) throw round.broken;
  return { hasMore, failed: round.failed };
}

const isResting = ({ clock }: MailToFaxParts, { state, retry_at }: MessageRow) =>
  state === 'waiting' && retry_at !== null && epochOf(retry_at) > clock.now();

/** Decides at once about a message of a stranger; one of somebody on the list is checked beside what comes after it. */
async function takeOne(round: Round, taken: TakenMessage): Promise<void> {
  const { parts, folder, lanes } = round;
  await guarded(round, taken, async () => {
    const begun = taken.row.state === 'waiting' ? await beginMessage(parts, folder, taken) : null;
    if (begun === null) return putAway(round, taken);
    const bytes = begun.whole?.length ?? 0;
    const isHeld = round.held + bytes <= MOST_HELD;
    if (isHeld) round.held += bytes;
    const kept = isHeld ? begun : { ...begun, whole: null };
    lanes.run(domainOf(begun), () =>
      guarded(round, taken, async () => {
        if (isHeld) round.held -= bytes;
        await finishOne(round, kept);
      }),
    );
  });
}

async function finishOne(round: Round, begun: BegunMessage): Promise<void> {
  const { parts, folder, silent } = round;
  if (round.signal.aborted || round.broken) return;
  const domain = domainOf(begun);
  // What was asked a moment ago would take as long again.
  if (silent.has(domain)) return waitAgain(parts, begun.row, NOT_CHECKED, begun.message.facts);
  if (!(await finishMessage(parts, folder, begun))) silent.add(domain);
  await putAway(round, begun);
}

function domainOf({ message }: BegunMessage): string {
  const { address } = message.sender;
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Whatever fails may concern this message alone; where the store is away, noting it fails as well. */
async function guarded(round: Round, { row }: TakenMessage, work: () => Promise<void>): Promise<void> {
  const { parts } = round;
  try {
    await work();
  } catch (error) {
    round.failed += 1;
    const isOfServer = error instanceof MailFolderError;
    if (isOfServer) round.broken ??= error;
    else parts.logger.warn({ error }, 'a message could not be taken');
    const sentence = isOfServer || error instanceof RefusalError ? error.publicMessage : NOT_NOW;
    try {
      await waitAgain(parts, row, sentence);
    } catch (again) {
      parts.logger.warn({ error: again }, 'what became of a message could not be noted');
    }
  }
}

async function putAway({ parts, folder }: Round, { row, listed }: TakenMessage): Promise<void> {
  const { account, uid_validity, uid } = row;
  const after = await findMessage(parts.db.read, { account, uid_validity, uid });
  if (!after || after.state === 'waiting') return;
  const isSent = after.state === 'accepted' || after.state === 'duplicate';
  await folder.putAway(listed.uid, isSent ? SENT_FOLDER : REFUSED_FOLDER);
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
