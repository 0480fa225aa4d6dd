import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_COVER } from '../../../shared/covers.ts';
import { INVISIBLE_CHARACTERS } from '../../../shared/visible-text.ts';
import { isoTime } from '../../platform/clock.ts';
import { errorCode, RefusalError } from '../../platform/errors.ts';
import { aboutOf } from '../../platform/fax-about.ts';
import { fileDigest, sha256Hex } from '../../platform/hash.ts';
import { newId } from '../../platform/ids.ts';
import type { TakeOutcome } from '../../platform/watched-folder/folder-watch.ts';
import { type FoundDocument, type FoundFile, MANIFEST } from '../../platform/watched-folder/found-files.ts';
import { copyFound, readFound } from '../../platform/watched-folder/read-found.ts';
import type { Caller } from '../access/service.ts';
import { ambiguousManifest, badManifest, keyReused, tooLarge, UnsendableFileError } from './errors.ts';
import { MANIFEST_BYTES, numberInName, readOrder } from './manifest.ts';
import type { FoldersParts } from './parts.ts';
import { changeSentFile, claimSentFile, deleteSentFile, isManifestSent } from './store.ts';
import type { FileOrder, SentFileRow } from './types.ts';

/** Time for which a file without a number in its name waits for the text beside it. */
const NUMBER_WAIT_MS = 2 * 60_000;
const MEGABYTE = 1024 * 1024;

/** Copy of a file to send, with its order. */
interface FileToSend {
  readonly name: string;
  readonly copy: string;
  readonly sha256: string;
  /** Names the text beside it; null for none. */
  readonly manifest: string | null;
  readonly order: FileOrder;
}

/** Returns the caller that files are sent for; null when there is none or it may not send. */
export async function folderCaller({ access, settings }: FoldersParts): Promise<Caller | null> {
  const senderId = settings.sendsFor();
  const caller = senderId === null ? null : await access.callerFor(senderId, 'send_folder');
  return caller?.holdsAnywhere('fax:send') ? caller : null;
}

/**
 * Sends one file of the folder, from a copy of it. Throws file system errors, and errors that keep the fax from being
 * accepted now; then everything stays as it is.
 */
export async function takeFile(
  parts: FoldersParts,
  found: FoundDocument,
  unchangedMs: number,
): Promise<TakeOutcome> {
  const isNumbered = found.manifest !== null || numberInName(found.base) !== null;
  if (!isNumbered && unchangedMs < NUMBER_WAIT_MS) return 'left';
  const copy = join(parts.workDirectory, newId());
  try {
    if (found.isTwin && found.manifest) throw ambiguousManifest();
    const maxBytes = parts.maxFileBytes();
    if (found.file.sizeBytes > maxBytes) throw tooLarge(maxBytes / MEGABYTE);
    const text = found.manifest === null ? null : await textOf(found.manifest);
    if (text === undefined) return 'left';
    const order = readOrder(parts, found, text);
    if (!(await copyFound(found.file, copy))) return 'left';
    const name = found.file.name.replaceAll(INVISIBLE_CHARACTERS, '').toWellFormed();
    const manifest = text === null ? null : manifestId(found.base, text);
    return await sendOnce(parts, { name, copy, order, manifest, sha256: (await fileDigest(copy)).sha256 });
  } catch (error) {
    if (error instanceof UnsendableFileError) return { refused: error.reason };
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Reads the text beside a file; undefined while it is still being written. Throws UnsendableFileError. */
async function textOf(file: FoundFile): Promise<string | undefined> {
  if (file.sizeBytes > MANIFEST_BYTES) throw badManifest(`It is larger than ${MANIFEST_BYTES / 1024} KB.`);
  const read = await readFound(file);
  if ('text' in read) return read.text.replace(/^\uFEFF/u, '');
  if (read.problem === 'no_text') throw badManifest('It is not JSON in UTF-8.');
  return undefined;
}

const manifestId = (base: string, text: string) => sha256Hex(JSON.stringify([base, text]));

/**
 * Returns true when a file was sent with this text beside it, which a kill between the moves of the two left behind.
 */
export async function isSent({ db }: FoldersParts, file: FoundFile): Promise<boolean> {
  try {
    const text = await textOf(file);
    const base = file.name.slice(0, -MANIFEST.length);
    return text !== undefined && (await isManifestSent(db.read, manifestId(base, text)));
  } catch (error) {
    if (error instanceof UnsendableFileError || errorCode(error) !== '') return false;
    throw error;
  }
}

/**
 * Returns the id of the fax and the fingerprint of its content. The same name with the same content is the same fax.
 */
function idsOf({
  name,
  sha256,
  order: { key, ...order },
}: FileToSend): Pick<SentFileRow, 'id' | 'fingerprint'> {
  const fingerprint = sha256Hex(JSON.stringify([sha256, order]));
  const named = key === null ? ['file', name.normalize(), fingerprint] : ['key', key];
  return { id: sha256Hex(JSON.stringify(named)), fingerprint };
}

/**
 * Sends a file as one fax, however often and in which process it is found: records the file before it requests the fax,
 * and derives the idempotency key from the file alone.
 */
async function sendOnce(parts: FoldersParts, file: FileToSend): Promise<TakeOutcome> {
  const { db, outbound } = parts;
  const caller = await folderCaller(parts);
  if (caller === null) return 'left';
  const ids = idsOf(file);
  const idempotencyKey = `send-folder:${ids.id}`;
  const now = isoTime(parts.clock.now());
  const { id: principal_id } = caller.principal;
  const wanted = { ...ids, manifest: file.manifest, principal_id, fax_id: null, taken_at: now };
  const { row, isNew } = await db.transaction((tx) => claimSentFile(tx, wanted));
  if (row.fingerprint !== ids.fingerprint) throw keyReused();
  const before = isNew ? null : (row.fax_id ?? (await outbound.repeatOf(row.principal_id, idempotencyKey)));
  if (before !== null) {
    await updateRecord(parts, row, { fax_id: before });
    return {
      done: `This file was accepted before, as fax ${before} of ${row.taken_at}. It was not sent again: to send it again, give it another name.`,
    };
  }
  // The fax was certainly not accepted for the earlier principal.
  if (row.principal_id !== principal_id) await updateRecord(parts, row, { principal_id });
  const faxId = await send(parts, file, { caller, idempotencyKey, row });
  await updateRecord(parts, row, { fax_id: faxId });
  return { done: `Accepted as fax ${faxId} on ${now}. Open Faxdesk to see what happened to it.` };
}

async function send(
  parts: FoldersParts,
  { name, copy, order, sha256 }: FileToSend,
  { caller, idempotencyKey, row }: { caller: Caller; idempotencyKey: string; row: SentFileRow },
): Promise<string> {
  const document = { path: copy, fileName: name, declaredType: null, digest: sha256 };
  const sources = order.cover === null ? [document] : [coverOf(name, order.cover), document];
  try {
    const fax = await parts.outbound.send(caller, {
      to: order.to,
      sources,
      titles: order.title === null ? [] : sources.length === 1 ? [order.title] : ['Cover', order.title],
      about: aboutOf(order),
      // One of its own takes the place of that of the contact or the mailbox.
      cover:
        order.cover !== null || order.cover_page === NO_COVER
          ? null
          : { id: order.cover_page ?? null, fields: order.cover_fields ?? {} },
      mailbox: order.mailbox ?? parts.settings.mailbox(),
      sendAt: order.sendAt ?? undefined,
      sendBy: order.sendBy,
      sendWhen: order.sendWhen,
      flags: { queue_only: false, send_now: false, urgent: false, send_by_call: false },
      cleanGreys: false,
      pageForm: 'automatic',
      guard: { mode: order.guard, digits: null, confirmed: [] },
      previewId: null,
      idempotencyKey,
    });
    return fax.job.id;
  } catch (error) {
    // A fault of the gateway passes; a fault of the file does not.
    if (!(error instanceof RefusalError) || error.status >= 500 || error.status === 429) throw error;
    await parts.db.transaction((tx) => deleteSentFile(tx, row.id));
    throw new UnsendableFileError(error.publicMessage);
  }
}

function coverOf(name: string, cover: string) {
  const bytes = new TextEncoder().encode(cover);
  return { bytes, fileName: `${name} (cover).txt`, declaredType: 'text/plain', digest: sha256Hex(cover) };
}

async function updateRecord(
  { db }: FoldersParts,
  { id }: SentFileRow,
  change: Parameters<typeof changeSentFile>[2],
): Promise<void> {
  await db.transaction((tx) => changeSentFile(tx, id, change));
}
