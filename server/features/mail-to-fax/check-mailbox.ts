import { type MailFolder, MailFolderError } from '../../adapters/mail/folder-port.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts';
import type { MailToFaxParts } from './parts.ts';
import { findMessage, insertMessage } from './store/message-store.ts';
import {
  type BegunMessage,
  beginMessage,
  finishMessage,
  postpone,
  type TakenMessage,
} from './take-message.ts';
import type { MessageRow } from './types.ts';

const SENT_FOLDER = 'Faxdesk sent';
const REFUSED_FOLDER = 'Faxdesk refused';

/** Messages that are checked at once, each of another domain. */
const MAX_PARALLEL = 4;
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
/** Connections that may end during one check of the mailbox; after more, the server is tried again later. */
const MAX_RECONNECTS = 20;

const NOT_TAKEN_YET = 'The message could not be processed yet; the log has the details.';

/** Result of one check of the mailbox. */
interface CheckResult {
  /** There is more to do at once. */
  readonly hasMore: boolean;
  /** Messages that could not be taken, for reasons that are not theirs. */
  readonly failed: number;
}

/** One check of the mailbox. */
interface MailboxCheck {
  readonly parts: MailToFaxParts;
  readonly open: OpenFolder;
  folder: MailFolder;
  readonly signal: AbortSignal;
  readonly queue: KeyedQueue;
  /** DNS names that got no answer: another lookup would take as long again. */
  readonly unanswered: Set<string>;
  /** Bytes of messages that wait for their turn. */
  queuedBytes: number;
  /** Messages that could not be taken. */
  failed: number;
  /** Error that ended the connection, which is opened again before the next message. */
  connectionError: MailFolderError | null;
  /** Several messages were worked on when it ended: none of them is to blame for certain. */
  isShared: boolean;
  /** Number of times it was opened again. */
  reconnects: number;
  /** Messages that are being worked on. */
  active: number;
  /** Messages in whose turn the connection ended, because of one of them or of none. */
  readonly retries: TakenMessage[];
}

type OpenFolder = () => Promise<MailFolder>;

/**
 * Takes the messages of the folder, oldest first, and puts them away. A message whose outcome is recorded is only put away, so that
 * one is taken once, however often a gateway is killed. One that fails holds up no other, even where the server ends the
 * connection over it, and one whose check takes long holds up those of its own domain alone. Throws MailFolderError.
 */
export async function checkMailbox(
  parts: MailToFaxParts,
  open: OpenFolder,
  { accountId, maxMessages, signal }: { accountId: string; maxMessages: number; signal: AbortSignal },
): Promise<CheckResult> {
  const folder = await open();
  const check: MailboxCheck = {
    parts,
    open,
    folder,
    signal,
    queue: createKeyedQueue(MAX_PARALLEL),
    unanswered: new Set(),
    queuedBytes: 0,
    failed: 0,
    connectionError: null,
    isShared: false,
    reconnects: 0,
    active: 0,
    retries: [],
  };
  try {
    const hasMore = await takeAll(check, accountId, maxMessages);
    await check.queue.settled();
    while (!signal.aborted && check.retries.length > 0) {
      await reconnect(check);
      const taken = check.retries.shift();
      if (taken) await takeOne(check, taken);
      await check.queue.settled();
    }
    return { hasMore, failed: check.failed };
  } finally {
    await check.queue.settled();
    for (const { row } of check.retries)
      await recordWaiting(parts, row, check.connectionError?.publicMessage ?? NOT_TAKEN_YET);
    await check.folder.close();
  }
}

/** True when there is more to do at once. */
async function takeAll(check: MailboxCheck, accountId: string, maxMessages: number): Promise<boolean> {
  const { parts, folder, signal } = check;
  let done = 0;
  for (const mail of await folder.list()) {
    if (signal.aborted || done === maxMessages) return true;
    const place = { account: accountId, uid_validity: folder.uidValidity, uid: String(mail.uid) };
    const row = await rowOf(parts, place);
    if (isResting(parts, row)) continue;
    await reconnect(check);
    await takeOne(check, { row, listed: mail });
    done += 1;
  }
  return false;
}

/** Opens the folder again when the connection ended. Throws MailFolderError where that cannot be, or was done too often. */
async function reconnect(check: MailboxCheck): Promise<void> {
  if (check.connectionError === null) return;
  await check.queue.settled();
  if (check.reconnects === MAX_RECONNECTS) throw check.connectionError;
  await check.folder.close();
  const { uidValidity } = check.folder;
  check.folder = await check.open();
  if (check.folder.uidValidity !== uidValidity) throw check.connectionError;
  check.reconnects += 1;
  check.connectionError = null;
}

const isResting = ({ clock }: MailToFaxParts, { state, retry_at }: MessageRow) =>
  state === 'waiting' && retry_at !== null && epochOf(retry_at) > clock.now();

/** Decides about a message of a stranger at once; checks one of a listed sender in parallel with the next messages. */
async function takeOne(check: MailboxCheck, taken: TakenMessage): Promise<void> {
  const { parts, queue } = check;
  await runGuarded(check, taken, async () => {
    const begun = taken.row.state === 'waiting' ? await beginMessage(parts, check.folder, taken) : null;
    if (begun === null) return putAway(check, taken);
    const bytes = begun.whole?.length ?? 0;
    const isHeld = check.queuedBytes + bytes <= MAX_QUEUED_BYTES;
    if (isHeld) check.queuedBytes += bytes;
    const kept = isHeld ? begun : { ...begun, whole: null };
    queue.run(domainOf(begun), () =>
      runGuarded(check, taken, async () => {
        if (isHeld) check.queuedBytes -= bytes;
        await finishOne(check, kept);
      }),
    );
  });
}

async function finishOne(check: MailboxCheck, begun: BegunMessage): Promise<void> {
  if (check.signal.aborted) return;
  if (check.connectionError) return void check.retries.push(begun);
  await finishMessage(check.parts, check.folder, begun, check.unanswered);
  await putAway(check, begun);
}

function domainOf({ message }: BegunMessage): string {
  const { address } = message.sender;
  return address.slice(address.lastIndexOf('@') + 1);
}

/**
 * Whatever fails may concern this message alone; where the store is away, noting it fails as well. When the connection ends, a
 * message waits only where it was the only one that was worked on: the others are tried again one by one.
 */
async function runGuarded(
  check: MailboxCheck,
  taken: TakenMessage,
  work: () => Promise<void>,
): Promise<void> {
  const { parts } = check;
  check.active += 1;
  try {
    await work();
  } catch (error) {
    const isOfServer = error instanceof MailFolderError;
    if (isOfServer && check.connectionError === null) {
      check.connectionError = error;
      check.isShared = check.active > 1;
    }
    if (isOfServer && check.isShared) return void check.retries.push(taken);
    check.failed += 1;
    parts.logger.warn({ error }, 'a message could not be taken');
    const sentence = isOfServer || error instanceof RefusalError ? error.publicMessage : NOT_TAKEN_YET;
    await recordWaiting(parts, taken.row, sentence);
  } finally {
    check.active -= 1;
  }
}

async function recordWaiting(parts: MailToFaxParts, row: MessageRow, sentence: string): Promise<void> {
  try {
    await postpone(parts, row, sentence);
  } catch (error) {
    parts.logger.warn({ error }, 'the outcome of a message could not be recorded');
  }
}

async function putAway({ parts, folder }: MailboxCheck, { row, listed }: TakenMessage): Promise<void> {
  const { account, uid_validity, uid } = row;
  const after = await findMessage(parts.db.read, { account, uid_validity, uid });
  if (!after || after.state === 'waiting') return;
  const isSent = after.state === 'accepted' || after.state === 'duplicate';
  await folder.moveMessage(listed.uid, isSent ? SENT_FOLDER : REFUSED_FOLDER);
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
