import { join } from 'node:path';
import { z } from 'zod';
import type { DocumentBucket, Storage } from '../adapters/storage/port.ts';
import type { Database, WriteTx } from '../db/database.ts';
import { type ReplacingSeals, type ResealCounts, resealRows } from '../db/reseal-rows.ts';
import { type KeyRow, settleNextKey, storedKeyRow, updateKeyRow } from '../features/settings/service.ts';
import { findInstallation } from '../features/storage/room.ts';
import { type ChangingKeys, eachKey } from '../platform/data-keys.ts';
import { createSeal } from '../platform/seal.ts';
import { createFileSealer } from '../platform/sealed-file.ts';
import { renewHeaders, resealSettingsCopy, resealTextFiles, type SealedFile } from './resealed-files.ts';

/** Pause before a further pass: a text that was read before the new key was there is written back within this time. */
const BETWEEN_PASSES_MS = 60_000;
/** Pause before a pass that is repeated because of texts or documents that open with neither key. */
const BLOCKED_MS = 60 * 60_000;

const Progress = z.object({
  started_at: z.string(),
  started_by: z.string(),
  pass: z.number().int(),
  /** Last row of the present pass; null at its beginning. */
  place: z
    .object({
      table: z.string(),
      after: z.array(z.union([z.string(), z.number()])).nullable(),
    })
    .nullable(),
  /** Name of the last document in a bucket that the present pass has settled; empty before the first. */
  after_object: z.string(),
  /** Texts and documents that were sealed again in all passes. */
  resealed: z.number().int(),
  /** Texts and documents that the present pass sealed again. */
  changed: z.number().int(),
  /** Rows and objects of the present pass that open with neither key. */
  unreadable: z.number().int(),
  /** Files of the data folder that open with neither key. They are read in one go, without a place to resume at. */
  unreadable_files: z.number().int(),
  accept_unreadable: z.boolean(),
});
/** Progress of a replacement, as it is stored with the proof of the key. */
export type ReplacementProgress = z.infer<typeof Progress>;

export interface PassParts {
  readonly dataFolder: string;
  readonly db: Database;
  readonly keys: ChangingKeys;
  readonly documents: Pick<Storage, 'readMark'>;
  readonly bucket: Pick<DocumentBucket, 'reseal'>;
  /** Absolute path of the key file of direct delivery. */
  readonly directKeyFile: string;
}

interface Run {
  readonly row: KeyRow;
  readonly progress: ReplacementProgress;
  readonly signal: AbortSignal;
  readonly recordEnd: (tx: WriteTx) => Promise<void>;
}

/** Result of a pass. */
interface PassResult {
  /** Time in ms until the next pass; null when the replacement is complete. */
  readonly ms: number | null;
  /** Sentence that says why the replacement cannot be completed; null when it can. */
  readonly problem: string | null;
}

const STOPPED: PassResult = { ms: 0, problem: null };

/**
 * Thrown when the folder of documents is away or belongs to another installation. A replacement that ended without it
 * would leave its documents without their key.
 */
export class DocumentsAwayError extends Error {
  override name = 'DocumentsAwayError';
}

export function progressOf({ replacement }: KeyRow): ReplacementProgress | null {
  return replacement === null ? null : Progress.parse(JSON.parse(replacement));
}

/** Saves the progress, with an acceptance of unreadable data that was recorded meanwhile. */
export async function saveProgress(tx: WriteTx, row: KeyRow, progress: ReplacementProgress): Promise<void> {
  const saved = await storedKeyRow(tx);
  const isAccepted = saved !== null && (progressOf(saved)?.accept_unreadable ?? false);
  const replacement = JSON.stringify({
    ...progress,
    accept_unreadable: isAccepted || progress.accept_unreadable,
  });
  if (!(await updateKeyRow(tx, row.proof, { replacement })))
    throw new Error('the replacement of the data key was ended by another gateway');
}

/**
 * Seals everything that the new key alone does not open again, from the place where an earlier run stopped. The replacement
 * ends with a later pass in which the new key opens everything, which proves that the former key is not needed.
 */
export async function runPass(parts: PassParts, run: Run): Promise<PassResult> {
  const { db } = parts;
  const { row, signal } = run;
  const isBeginning = run.progress.place === null;
  const from = isBeginning ? { ...run.progress, unreadable: 0 } : run.progress;
  const rows = await resealStore(parts, { ...run, progress: from });
  if (signal.aborted) return STOPPED;
  const files = await resealFiles(parts, rows, signal);
  await db.transaction((tx) => saveProgress(tx, row, files));
  if (signal.aborted) return STOPPED;
  const progress = await resealObjects(parts, { ...run, progress: files });
  if (signal.aborted) return STOPPED;
  await assertDocuments(parts);
  return endPass(parts, { ...run, progress });
}

const sealsOf = ({ keys }: PassParts): ReplacingSeals => ({
  next: createSeal(eachKey(keys.bytes)[0]!),
  both: createSeal(keys.bytes),
});

async function resealStore(parts: PassParts, { row, progress, signal }: Run): Promise<ReplacementProgress> {
  const advance = (
    place: { table: string; after: readonly (string | number)[] | null },
    counts: ResealCounts,
  ) => ({
    ...withCounts(progress, counts),
    place: { table: place.table, after: place.after && [...place.after] },
  });
  await resealRows(parts.db, progress.place, {
    seals: sealsOf(parts),
    isStopped: () => signal.aborted,
    record: (tx, place, counts) => saveProgress(tx, row, advance(place, counts)),
    onRecorded(place, counts) {
      progress = advance(place, counts);
    },
  });
  return progress;
}

async function resealFiles(
  parts: PassParts,
  progress: ReplacementProgress,
  signal: AbortSignal,
): Promise<ReplacementProgress> {
  const { dataFolder, keys } = parts;
  const seals = sealsOf(parts);
  await assertDocuments(parts);
  const texts = await resealTextFiles(textFiles(parts), seals);
  const copy = await resealSettingsCopy(dataFolder, seals);
  const documents = await renewHeaders(dataFolder, {
    folders: ['files', 'work'],
    sealer: createFileSealer(keys.bytes),
    isStopped: () => signal.aborted,
  });
  await assertDocuments(parts);
  const all = [texts, copy, documents];
  const resealed = all.reduce((sum, counts) => sum + counts.resealed, 0);
  return {
    ...withCounts(progress, { resealed, unreadable: 0 }),
    unreadable_files: all.reduce((sum, counts) => sum + counts.unreadable, 0),
  };
}

/** Throws DocumentsAwayError, for example while the disk with the documents is not connected. */
async function assertDocuments({ db, documents }: PassParts): Promise<void> {
  const [mark, own] = [await documents.readMark(), await findInstallation(db.read)];
  if (own === null || mark?.installation !== own.id)
    throw new DocumentsAwayError('the folder of documents is not the one of the store');
}

async function resealObjects(parts: PassParts, { row, progress, signal }: Run): Promise<ReplacementProgress> {
  for (let next: string | null = progress.after_object; next !== null && !signal.aborted; ) {
    const step: Awaited<ReturnType<DocumentBucket['reseal']>> = await parts.bucket.reseal(next);
    next = step.next;
    progress = { ...withCounts(progress, step), after_object: next ?? progress.after_object };
    const reached = progress;
    await parts.db.transaction((tx) => saveProgress(tx, row, reached));
  }
  return progress;
}

function withCounts(
  progress: ReplacementProgress,
  { resealed, unreadable }: ResealCounts,
): ReplacementProgress {
  return {
    ...progress,
    resealed: progress.resealed + resealed,
    changed: progress.changed + resealed,
    unreadable: progress.unreadable + unreadable,
  };
}

async function endPass({ db, keys }: PassParts, run: Run): Promise<PassResult> {
  const { row, progress, recordEnd } = run;
  const nextPass = { ...progress, place: null, after_object: '', changed: 0 };
  // A pass that begins later finds the files that were being written when the replacement began.
  if (progress.changed > 0 || progress.pass === 1) {
    await db.transaction((tx) => saveProgress(tx, row, { ...nextPass, pass: progress.pass + 1 }));
    return { ms: BETWEEN_PASSES_MS, problem: null };
  }
  const unreadable = progress.unreadable + progress.unreadable_files;
  const isEnded = await db.transaction(async (tx) => {
    const saved = await storedKeyRow(tx);
    const isAccepted = saved !== null && (progressOf(saved)?.accept_unreadable ?? false);
    if (unreadable > 0 && !isAccepted) {
      await saveProgress(tx, row, nextPass);
      return false;
    }
    if (await settleNextKey(tx, progress.started_at)) await recordEnd(tx);
    return true;
  });
  if (!isEnded) return { ms: BLOCKED_MS, problem: blockedSentence(unreadable) };
  keys.bytes = eachKey(keys.bytes)[0]!;
  return { ms: null, problem: null };
}

const blockedSentence = (count: number): string =>
  `${count === 1 ? '1 stored secret or document opens' : `${count} stored secrets or documents open`} with neither data key, so the former key is kept. To give up what does not open, open System > Data key or run faxdesk data-key replace --leave-unreadable.`;

function textFiles({ dataFolder, directKeyFile }: PassParts): SealedFile[] {
  return [
    { path: join(dataFolder, 'audit-log.end'), context: 'audit_log_end', isKeptOpen: true },
    { path: join(dataFolder, 'https', 'root.sealed'), context: 'https/root.sealed' },
    { path: join(dataFolder, 'https', 'server.sealed'), context: 'https/server.sealed' },
    { path: directKeyFile, context: 'direct_identity' },
  ];
}
