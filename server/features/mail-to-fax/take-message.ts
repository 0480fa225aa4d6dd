import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ListedMail, MailFolder } from '../../adapters/mail/folder-port.ts';
import { UnreadableMailError } from '../../adapters/mail/reading-port.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { NO_ABOUT } from '../../platform/fax-about.ts';
import { fileDigest } from '../../platform/hash.ts';
import { newId } from '../../platform/ids.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { judge, judgeHead, type ListedMessage, type RequestedFax, type Verdict } from './judge.ts';
import type { MailToFaxParts } from './parts.ts';
import { planReplies } from './replies/plan.ts';
import { changeWaiting } from './store/message-store.ts';
import type { MessageRow } from './types.ts';

const MINUTE_MS = 60_000;
/**
 * Rest of a message when the gateway vanished while it was taken: none the first time, then longer and longer, so
 * that a gateway that is killed again and again for another reason does not use up the tries within moments.
 */
const CRASH_WAITS_MS = [0, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
/** Number of unfinished attempts after which a message must have ended the gateway, and would again. */
const MAX_BEGUN = CRASH_WAITS_MS.length;
/** After a try in vain; the last one is repeated until the message is given up. */
const RETRY_WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
const GIVE_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

const GONE = 'The message is no longer there.';
const STOPPED_EACH_TIME = 'The message could not be read: Faxdesk was stopped each time.';
const SENT_BEFORE = 'Another message with the same Message-ID was already sent as a fax.';

/** A message in the mailbox, with what is recorded of it. */
export interface TakenMessage {
  readonly row: MessageRow;
  readonly listed: ListedMail;
}

/** Message that claims to be from a listed sender. */
export interface BegunMessage extends TakenMessage {
  readonly message: ListedMessage;
  /** The whole message, where it is small. */
  readonly whole: Buffer | null;
}

/**
 * Reads the header of a message that waits, and decides about it where that is enough: nothing is done for a stranger but this.
 * Null when it is decided. Of what is thrown holds the same as for `finishMessage`.
 */
export async function beginMessage(
  parts: MailToFaxParts,
  folder: MailFolder,
  taken: TakenMessage,
): Promise<BegunMessage | null> {
  const { row, listed } = taken;
  const decide = async (work: Promise<void>) => work.then(() => null);
  if (row.begun >= MAX_BEGUN) return decide(refuse(parts, row, STOPPED_EACH_TIME));
  const maxBytes = parts.settings.maxMessageBytes();
  if (listed.sizeBytes > maxBytes) return decide(refuse(parts, row, tooLarge(maxBytes)));
  const { headBytes } = parts.reader;
  const source = await folder.open(listed.uid, headBytes);
  if (source === null) return decide(postpone(parts, row, GONE));
  const beginning = await buffer(source);
  const found = await refuseUnreadable(() => judgeHead(parts, parts.reader.readHead(beginning)));
  if ('kind' in found) return decide(applyVerdict(parts, row, found, parts.workDirectory));
  return { ...taken, message: found, whole: beginning.length < headBytes ? beginning : null };
}

/**
 * Checks a message that was begun, judges it and has the fax accepted. `unanswered` are names in the DNS that do not
 * resolve for now. Throws for faults that are not of the message: it is then undecided, and taken at a later check.
 */
export async function finishMessage(
  parts: MailToFaxParts,
  folder: MailFolder,
  begun: BegunMessage,
  unanswered: Set<string>,
): Promise<void> {
  const { row } = begun;
  const rest = CRASH_WAITS_MS[row.begun] ?? 0;
  const retry_at = rest === 0 ? null : isoTime(parts.clock.now() + rest);
  await parts.db.transaction((tx) => changeWaiting(tx, row.id, { begun: row.begun + 1, retry_at }));
  const work = join(parts.workDirectory, `mail-${newId()}`);
  try {
    await makeFolder(work);
    const fetched = messageFetcher(folder, begun, { work, maxBytes: parts.settings.maxMessageBytes() });
    const verdict = await refuseUnreadable(() => judgeMessage(parts, begun, { fetched, work, unanswered }));
    await applyVerdict(parts, row, verdict, work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Returns the path of the message, or of its first bytes; the verdict on the message when it cannot be fetched. */
type FetchMessage = (mostBytes?: number) => Promise<string | Verdict>;

function messageFetcher(
  folder: MailFolder,
  { listed, whole }: BegunMessage,
  { work, maxBytes }: { readonly work: string; readonly maxBytes: number },
): FetchMessage {
  return async (mostBytes) => {
    const path = join(work, mostBytes === undefined ? 'message' : 'beginning');
    const source = whole === null ? await folder.open(listed.uid, mostBytes) : Readable.from([whole]);
    // The message was moved away meanwhile.
    if (source === null) return { kind: 'later', sentence: GONE, facts: {} };
    if (await saveUpTo(source, path, maxBytes)) return path;
    return { kind: 'refused', sentence: tooLarge(maxBytes), facts: {} };
  };
}

/** Judges a message. One that is not small is fetched only when its header proves the sender: anybody can send large ones. */
async function judgeMessage(
  parts: MailToFaxParts,
  { row, listed, message, whole }: BegunMessage,
  {
    fetched,
    work,
    unanswered,
  }: { readonly fetched: FetchMessage; readonly work: string; readonly unanswered: Set<string> },
): Promise<Verdict> {
  const { reader, settings } = parts;
  const arrivedAt = listed.arrivedAt ?? epochOf(row.recorded_at);
  const options = { into: work, trustedServer: settings.trustedServer(), arrivedAt };
  if (whole === null) {
    const beginning = await fetched(reader.headBytes);
    if (typeof beginning !== 'string') return beginning;
    const head = await reader.read(beginning, { ...options, isBeginning: true }, unanswered);
    if (head.check.kind !== 'passed') return judge(parts, message, head);
  }
  const path = await fetched();
  if (typeof path !== 'string') return path;
  return judge(parts, message, await reader.read(path, options, unanswered));
}

const tooLarge = (bytes: number) => `The message is larger than ${bytes / (1024 * 1024)} MB.`;

/** False when more comes than was announced. */
async function saveUpTo(source: Readable, path: string, maxBytes: number): Promise<boolean> {
  let bytes = 0;
  let isTooLarge = false;
  await pipeline(
    source,
    async function* upTo(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        isTooLarge ||= bytes > maxBytes;
        // The rest is read all the same, so that the connection can be used on.
        if (!isTooLarge) yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  return !isTooLarge;
}

/** Returns a refusal when the content is not a readable message. */
async function refuseUnreadable<T>(
  reading: () => Promise<T>,
): Promise<T | Extract<Verdict, { kind: 'refused' | 'ignored' }>> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof UnreadableMailError)) throw error;
    return { kind: 'refused', sentence: error.publicMessage, facts: {} };
  }
}

async function applyVerdict(
  parts: MailToFaxParts,
  row: MessageRow,
  verdict: Verdict,
  work: string,
): Promise<void> {
  const { facts, subject } = verdict;
  switch (verdict.kind) {
    case 'later':
      return postpone(parts, row, verdict.sentence, facts);
    case 'duplicate': {
      const { fax_id, to_number } = verdict.duplicateOf;
      return recordDecision(parts, row, { ...facts, state: 'duplicate', fax_id, to_number });
    }
    case 'fax':
      return sendFax(parts, row, verdict, work);
    default:
      return recordDecision(
        parts,
        row,
        { ...facts, state: verdict.kind, problem: verdict.sentence },
        subject,
      );
  }
}

/** Sends the fax by the same service as other callers. A final refusal refuses the message; other errors are thrown. */
async function sendFax(
  parts: MailToFaxParts,
  row: MessageRow,
  { fax, facts, subject }: Pick<Verdict, 'facts' | 'subject'> & { readonly fax: RequestedFax },
  work: string,
): Promise<void> {
  const known = { ...facts, to_number: fax.to };
  try {
    const { job } = await parts.outbound.send(fax.caller, {
      to: fax.to,
      previewId: null,
      flags: { queue_only: false, send_now: false, urgent: false, send_by_call: false },
      idempotencyKey: fax.idempotencyKey,
      // The sender may have become that of another person since the message was begun.
      isGatewayKey: true,
      mailbox: fax.mailbox,
      sendAt: undefined,
      cleanGreys: false,
      pageForm: 'automatic',
      titles: [],
      about: NO_ABOUT,
      // One of its own takes the place of that of the contact or the mailbox.
      cover: fax.cover === null ? { id: null, fields: {} } : null,
      sources: await sourcesOf(fax, work),
    });
    await recordDecision(parts, row, { ...known, state: 'accepted', fax_id: job.id }, subject);
  } catch (error) {
    const isFinal = error instanceof RefusalError && error.status < 500 && error.status !== 429;
    if (!isFinal) throw error;
    const isTaken = error.refusalCode === 'idempotency_key_reused';
    const problem = isTaken ? SENT_BEFORE : error.publicMessage;
    await recordDecision(parts, row, { ...known, state: 'refused', problem }, subject);
  }
}

async function sourcesOf({ documents, cover }: RequestedFax, work: string) {
  const files = [...documents];
  if (cover !== null) {
    const path = join(work, 'cover');
    await writeFile(path, cover, { mode: 0o600, flag: 'wx' });
    const sizeBytes = Buffer.byteLength(cover);
    files.unshift({
      path,
      fileName: 'cover.txt',
      contentType: 'text/plain',
      mediaType: 'text/plain',
      sizeBytes,
    });
  }
  return Promise.all(
    files.map(async ({ path, fileName, mediaType }, index) => ({
      path,
      fileName: fileName === '' ? `attachment ${index + 1}` : fileName,
      declaredType: mediaType,
      digest: (await fileDigest(path)).sha256,
    })),
  );
}

const refuse = (parts: MailToFaxParts, row: MessageRow, problem: string) =>
  recordDecision(parts, row, { state: 'refused', problem });

/**
 * Records the decision and its replies in one transaction: no reply is lost, and none reports what was not recorded.
 */
async function recordDecision(
  parts: MailToFaxParts,
  row: MessageRow,
  changes: Partial<MessageRow> & Pick<MessageRow, 'state'>,
  subject?: string,
): Promise<void> {
  const updated_at = isoTime(parts.clock.now());
  await parts.db.transaction(async (tx) => {
    const change = { problem: null, retry_at: null, ...changes, updated_at };
    if (await changeWaiting(tx, row.id, change)) await planReplies(parts, tx, { ...row, ...change }, subject);
  });
}

/** Schedules a message to be judged again, for a day; then refuses it with the last problem. */
export async function postpone(
  parts: MailToFaxParts,
  row: MessageRow,
  problem: string,
  facts: Verdict['facts'] = {},
): Promise<void> {
  const { db, clock } = parts;
  const now = clock.now();
  if (now - epochOf(row.recorded_at) >= GIVE_UP_AFTER_MS)
    return recordDecision(parts, row, { ...facts, state: 'refused', problem });
  const wait = RETRY_WAITS_MS[Math.min(row.tries, RETRY_WAITS_MS.length - 1)] ?? 0;
  const retry_at = isoTime(now + wait);
  const changes = { ...facts, problem, tries: row.tries + 1, retry_at, begun: 0, updated_at: isoTime(now) };
  await db.transaction((tx) => changeWaiting(tx, row.id, changes));
}
