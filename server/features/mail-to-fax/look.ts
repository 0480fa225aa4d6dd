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
/** Connections that may end during one check of the mailbox; after more, the server is tried again later. */
const MOST_REOPENED = 20;

const NOT_NOW = 'The message could not be taken yet; the log has the details.';

/** Result of one check of the mailbox. */
export interface Looked {
  /** There is more to do at once. */
  readonly hasMore: boolean;
  /** Messages that could not be taken, for reasons that are not theirs. */
  readonly failed: number;
}

/** One check of the mailbox. */
interface Round {
  readonly parts: MailToFaxParts;
  readonly open: OpenFolder;
  folder: MailFolder;
  readonly signal: AbortSignal;
  readonly lanes: Lanes;
  /** Names in the DNS that do not resolve for now: another query would take as long again. */
  readonly silent: Set<string>;
  /** Bytes of messages that wait for their turn. */
  held: number;
  /** Messages that could not be taken. */
  failed: number;
  /** Error that ended the connection, which is opened again before the next message. */
  broken: MailFolderError | null;
  /** Several messages were worked on when it ended: none of them is to blame for certain. */
  isShared: boolean;
  /** Number of times it was opened again. */
  reopened: number;
  /** Messages that are being worked on. */
  active: number;
  /** Messages in whose turn the connection ended, because of one of them or of none. */
  readonly again: TakenMessage[];
}

export type OpenFolder = () => Promise<MailFolder>;

/**
 * Takes what lies in the folder, oldest first, and puts it away. A message whose outcome is recorded is only put away, so that
 * one is taken once, however often a gateway is killed. One that fails holds up no other, even where the server ends the
 * connection over it, and one whose check takes long holds up those of its own domain alone. Throws MailFolderError.
 */
export async function lookAt(
  parts: MailToFaxParts,
  open: OpenFolder,
  { accountId, most, signal }: { accountId: string; most: number; signal: AbortSignal },
): Promise<Looked> {
  const folder = await open();
  const round: Round = {
    parts,
    open,
    folder,
    signal,
    lanes: createLanes(MOST_BESIDE),
    silent: new Set(),
    held: 0,
    failed: 0,
    broken: null,
    isShared: false,
    reopened: 0,
    active: 0,
    again: [],
  };
  try {
    const hasMore = await takeAll(round, accountId, most);
    await round.lanes.settled();
    while (!signal.aborted && round.again.length > 0) {
      await connected(round);
      const taken = round.again.shift();
      if (taken) await takeOne(round, taken);
      await round.lanes.settled();
    }
    return { hasMore, failed: round.failed };
  } finally {
    await round.lanes.settled();
    for (const { row } of round.again) await noteWaiting(parts, row, round.broken?.publicMessage ?? NOT_NOW);
    await round.folder.close();
  }
}

/** True when there is more to do at once. */
async function takeAll(round: Round, accountId: string, most: number): Promise<boolean> {
  const { parts, folder, signal } = round;
  let done = 0;
  for (const mail of await folder.list()) {
    if (signal.aborted || done === most) return true;
    const place = { account: accountId, uid_validity: folder.uidValidity, uid: String(mail.uid) };
    const row = await rowOf(parts, place);
    if (isResting(parts, row)) continue;
    await connected(round);
    await takeOne(round, { row, listed: mail });
    done += 1;
  }
  return false;
}

/** Opens the folder again when the connection ended. Throws MailFolderError where that cannot be, or was done too often. */
async function connected(round: Round): Promise<void> {
  if (round.broken === null) return;
  await round.lanes.settled();
  if (round.reopened === MOST_REOPENED) throw round.broken;
  await round.folder.close();
  const { uidValidity } = round.folder;
  round.folder = await round.open();
  if (round.folder.uidValidity !== uidValidity) throw round.broken;
  round.reopened += 1;
  round.broken = null;
}

const isResting = ({ clock }: MailToFaxParts, { state, retry_at }: MessageRow) =>
  state === 'waiting' && retry_at !== null && epochOf(retry_at) > clock.now();

/** Decides about a message of a stranger at once; checks one of a listed sender in parallel with the next messages. */
async function takeOne(round: Round, taken: TakenMessage): Promise<void> {
  const { parts, lanes } = round;
  await guarded(round, taken, async () => {
    const begun = taken.row.state === 'waiting' ? await beginMessage(parts, round.folder, taken) : null;
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
  if (round.signal.aborted) return;
  if (round.broken) return void round.again.push(begun);
  await finishMessage(round.parts, round.folder, begun, round.silent);
  await putAway(round, begun);
}

function domainOf({ message }: BegunMessage): string {
  const { address } = message.sender;
  return address.slice(address.lastIndexOf('@') + 1);
}

/**
 * Whatever fails may concern this message alone; where the store is away, noting it fails as well. When the connection ends, a
 * message waits only where it was the only one that was worked on: the others are tried again one by one.
 */
async function guarded(round: Round, taken: TakenMessage, work: () => Promise<void>): Promise<void> {
  const { parts } = round;
  round.active += 1;
  try {
    await work();
  } catch (error) {
    const isOfServer = error instanceof MailFolderError;
    if (isOfServer && round.broken === null) {
      round.broken = error;
      round.isShared = round.active > 1;
    }
    if (isOfServer && round.isShared) return void round.again.push(taken);
    round.failed += 1;
    parts.logger.warn({ error }, 'a message could not be taken');
    const sentence = isOfServer || error instanceof RefusalError ? error.publicMessage : NOT_NOW;
    await noteWaiting(parts, taken.row, sentence);
  } finally {
    round.active -= 1;
  }
}

async function noteWaiting(parts: MailToFaxParts, row: MessageRow, sentence: string): Promise<void> {
  try {
    await waitAgain(parts, row, sentence);
  } catch (error) {
    parts.logger.warn({ error }, 'what became of a message could not be noted');
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
