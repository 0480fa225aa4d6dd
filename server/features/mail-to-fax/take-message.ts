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
import { fileDigest } from '../../platform/file-digest.ts';
import { newId } from '../../platform/ids.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { judge, judgeHead, type ListedMessage, type Verdict, type WantedFax } from './judge.ts';
import type { MailToFaxParts } from './parts.ts';
import { planReplies } from './replies/plan.ts';
import { changeWaiting } from './store/message-store.ts';
import type { MessageRow } from './types.ts';

const MINUTE_MS = 60_000;
/**
 * Rest of a message when the gateway vanished while it was taken: none the first time, then longer and longer, so
 * that a gateway that is killed again and again for another reason does not use up the tries within moments.
 */
const RESTS_MS = [0, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
/** Number of unfinished attempts after which a message must have ended the gateway, and would again. */
const MOST_BEGUN = RESTS_MS.length;
/** After a try in vain; the last one is repeated until the message is given up. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
const GIVEN_UP_MS = 24 * 60 * MINUTE_MS;

const GONE = 'The message is no longer there.';
const ENDS_US = 'The message could not be read: Faxdesk was stopped each time.';
const TAKEN_BEFORE = 'Another message with the same Message-ID was sent as a fax before.';

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
  if (row.begun >= MOST_BEGUN) return decide(refuse(parts, row, ENDS_US));
  const most = parts.settings.mostMessageBytes();
  if (listed.sizeBytes > most) return decide(refuse(parts, row, tooLarge(most)));
  const { headBytes } = parts.reader;
  const source = await folder.open(listed.uid, headBytes);
  if (source === null) return decide(waitAgain(parts, row, GONE));
  const beginning = await buffer(source);
  const found = await readable(() => judgeHead(parts, parts.reader.readHead(beginning)));
  if ('kind' in found) return decide(settle(parts, row, found, parts.workDirectory));
  return { ...taken, message: found, whole: beginning.length < headBytes ? beginning : null };
}

/**
 * Checks a message that was begun, judges it and has the fax accepted. `silent` are names in the DNS that do not
 * resolve for now. Throws for faults that are not of the message: it is then undecided, and taken at a later check.
 */
export async function finishMessage(
  parts: MailToFaxParts,
  folder: MailFolder,
  begun: BegunMessage,
  silent: Set<string>,
): Promise<void> {
  const { row } = begun;
  const rest = RESTS_MS[row.begun] ?? 0;
  const retry_at = rest === 0 ? null : isoTime(parts.clock.now() + rest);
  await parts.db.transaction((tx) => changeWaiting(tx, row.id, { begun: row.begun + 1, retry_at }));
  const work = join(parts.workDirectory, `mail-${newId()}`);
  try {
    await makeFolder(work);
    const fetched = fetchedFrom(folder, begun, { work, most: parts.settings.mostMessageBytes() });
    const verdict = await readable(() => verdictOn(parts, begun, { fetched, work, silent }));
    await settle(parts, row, verdict, work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Returns the path of the message, or of its first bytes; the verdict on the message when it cannot be fetched. */
type Fetched = (mostBytes?: number) => Promise<string | Verdict>;

function fetchedFrom(
  folder: MailFolder,
  { listed, whole }: BegunMessage,
  { work, most }: { readonly work: string; readonly most: number },
): Fetched {
  return async (mostBytes) => {
    const path = join(work, mostBytes === undefined ? 'message' : 'beginning');
    const source = whole === null ? await folder.open(listed.uid, mostBytes) : Readable.from([whole]);
    // The message was moved away meanwhile.
    if (source === null) return { kind: 'later', sentence: GONE, facts: {} };
    if (await saved(source, path, most)) return path;
    return { kind: 'refused', sentence: tooLarge(most), facts: {} };
  };
}

/** Judges a message. One that is not small is fetched only when its header proves the sender: anybody can send large ones. */
async function verdictOn(
  parts: MailToFaxParts,
  { row, listed, message, whole }: BegunMessage,
  {
    fetched,
    work,
    silent,
  }: { readonly fetched: Fetched; readonly work: string; readonly silent: Set<string> },
): Promise<Verdict> {
  const { reader, settings } = parts;
  const arrivedAt = listed.arrivedAt ?? epochOf(row.recorded_at);
  const options = { into: work, trustedServer: settings.trustedServer(), arrivedAt };
  if (whole === null) {
    const beginning = await fetched(reader.headBytes);
    if (typeof beginning !== 'string') return beginning;
    const head = await reader.read(beginning, { ...options, isBeginning: true }, silent);
    if (head.check.kind !== 'passed') return judge(parts, message, head);
  }
  const path = await fetched();
  if (typeof path !== 'string') return path;
  return judge(parts, message, await reader.read(path, options, silent));
}

const tooLarge = (bytes: number) => `The message is larger than ${bytes / (1024 * 1024)} MB.`;

/** False when more comes than was announced. */
async function saved(source: Readable, path: string, most: number): Promise<boolean> {
  let bytes = 0;
  let isTooLarge = false;
  await pipeline(
    source,
    async function* upTo(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        isTooLarge ||= bytes > most;
        // The rest is read all the same, so that the connection can be used on.
        if (!isTooLarge) yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  return !isTooLarge;
}

/** Returns a refusal when the content is not a readable message. */
async function readable<T>(
  reading: () => Promise<T>,
): Promise<T | Extract<Verdict, { kind: 'refused' | 'ignored' }>> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof UnreadableMailError)) throw error;
    return { kind: 'refused', sentence: error.publicMessage, facts: {} };
  }
}

async function settle(parts: MailToFaxParts, row: MessageRow, verdict: Verdict, work: string): Promise<void> {
  const { facts, subject } = verdict;
  switch (verdict.kind) {
    case 'later':
      return waitAgain(parts, row, verdict.sentence, facts);
    case 'duplicate': {
      const { fax_id, to_number } = verdict.of;
      return decided(parts, row, { ...facts, state: 'duplicate', fax_id, to_number });
    }
    case 'fax':
      return sendIt(parts, row, verdict, work);
    default:
      return decided(parts, row, { ...facts, state: verdict.kind, problem: verdict.sentence }, subject);
  }
}

/** Sends the fax by the same service as other callers. A final refusal refuses the message; other errors are thrown. */
async function sendIt(
  parts: MailToFaxParts,
  row: MessageRow,
  { fax, facts, subject }: Pick<Verdict, 'facts' | 'subject'> & { readonly fax: WantedFax },
  work: string,
): Promise<void> {
  const known = { ...facts, to_number: fax.to };
  try {
    const { job } = await parts.outbound.send(fax.caller, {
      to: fax.to,
      previewId: null,
      flags: { queue_only: false, send_now: false, urgent: false, send_by_call: false },
      idempotencyKey: fax.idempotencyKey,
      mailbox: fax.mailbox,
      sendAt: undefined,
      cleanGreys: false,
      titles: [],
      sources: await sourcesOf(fax, work),
    });
    await decided(parts, row, { ...known, state: 'accepted', fax_id: job.id }, subject);
  } catch (error) {
    const isFinal = error instanceof RefusalError && error.status < 500 && error.status !== 429;
    if (!isFinal) throw error;
    const isTaken = error.refusalCode === 'idempotency_key_reused';
    const problem = isTaken ? TAKEN_BEFORE : error.publicMessage;
    await decided(parts, row, { ...known, state: 'refused', problem }, subject);
  }
}

async function sourcesOf({ documents, cover }: WantedFax, work: string) {
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
  decided(parts, row, { state: 'refused', problem });

/**
 * Records the decision and its replies in one transaction: no reply is lost, and none reports what was not recorded.
 */
async function decided(
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
export async function waitAgain(
  parts: MailToFaxParts,
  row: MessageRow,
  problem: string,
  facts: Verdict['facts'] = {},
): Promise<void> {
  const { db, clock } = parts;
  const now = clock.now();
  if (now - epochOf(row.recorded_at) >= GIVEN_UP_MS)
    return decided(parts, row, { ...facts, state: 'refused', problem });
  const wait = WAITS_MS[Math.min(row.tries, WAITS_MS.length - 1)] ?? 0;
  const retry_at = isoTime(now + wait);
  const changes = { ...facts, problem, tries: row.tries + 1, retry_at, begun: 0, updated_at: isoTime(now) };
  await db.transaction((tx) => changeWaiting(tx, row.id, changes));
}
