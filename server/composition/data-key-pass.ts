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

/** A text that was read before the new key was there is written within this time. */
const BETWEEN_PASSES_MS = 60_000;
const BLOCKED_MS = 60 * 60_000;

const Progress = z.object({
  started_at: z.string(),
  started_by: z.string(),
  pass: z.number().int(),
  /** Place among the rows in the present pass; null at its beginning. */
  place: z
    .object({
      table: z.string(),
      after: z.array(z.union([z.string(), z.number()])).nullable(),
    })
    .nullable(),
  /** Name of the last document in a bucket that the present pass has settled; empty before the first. */
  after_object: z.string(),
  /** Sealed anew in all, and in the present pass. */
  resealed: z.number().int(),
  changed: z.number().int(),
  /** Rows and objects of the present pass that open with neither key. */
  unreadable: z.number().int(),
  /** The same for the files of the data folder, which are read through at once. */
  unreadable_files: z.number().int(),
  accept_unreadable: z.boolean(),
});
/** Progress of a replacement, as the row of the proof has it. */
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

/** Result of a pass: when it goes on, null at the end, and the reason why it does not end. */
interface PassResult {
  readonly ms: number | null;
  readonly problem: string | null;
}

const STOPPED: PassResult = { ms: 0, problem: null };

/** The folder of documents is gone, or another one is in its place: those that it has would not open any longer. */
export class DocumentsAwayError extends Error {
  override name = 'DocumentsAwayError';
}

export function progressOf({ replacement }: KeyRow): ReplacementProgress | null {
  return replacement === null ? null : Progress.parse(JSON.parse(replacement));
}

/** Saves the progress. What was accepted meanwhile stays accepted. */
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
 * Goes through everything once, from the place where an earlier run stopped: what the new key alone does not open is sealed anew.
 * A later pass in which the new key opens everything is the proof that the former one is not needed, and ends the replacement.
 */
export async function runPass(parts: PassParts, run: Run): Promise<PassResult> {
  const { db } = parts;
  const { row, signal } = run;
  const isBeginning = run.progress.place === null;
  const from = isBeginning ? { ...run.progress, unreadable: 0 } : run.progress;
  const rows = await passRows(parts, { ...run, progress: from });
  if (signal.aborted) return STOPPED;
  const files = await passFiles(parts, rows, signal);
  await db.transaction((tx) => saveProgress(tx, row, files));
  if (signal.aborted) return STOPPED;
  const progress = await passObjects(parts, { ...run, progress: files });
  if (signal.aborted) return STOPPED;
  await assertDocuments(parts);
  return endPass(parts, { ...run, progress });
}

const sealsOf = ({ keys }: PassParts): ReplacingSeals => ({
  next: createSeal(eachKey(keys.bytes)[0]!),
  both: createSeal(keys.bytes),
});

async function passRows(parts: PassParts, { row, progress, signal }: Run): Promise<ReplacementProgress> {
  const advance = (
    place: { table: string; after: readonly (string | number)[] | null },
    counts: ResealCounts,
  ) => ({
    ...counted(progress, counts),
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

async function passFiles(
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
    ...counted(progress, { resealed, unreadable: 0 }),
    unreadable_files: all.reduce((sum, counts) => sum + counts.unreadable, 0),
  };
}

/** Throws DocumentsAwayError, as while the disk with the documents is not connected. */
async function assertDocuments({ db, documents }: PassParts): Promise<void> {
  const [mark, own] = [await documents.readMark(), await findInstallation(db.read)];
  if (own === null || mark?.installation !== own.id)
    throw new DocumentsAwayError('the folder of documents is not the one of the store');
}

async function passObjects(parts: PassParts, { row, progress, signal }: Run): Promise<ReplacementProgress> {
  for (let next: string | null = progress.after_object; next !== null && !signal.aborted; ) {
    const step: Awaited<ReturnType<DocumentBucket['reseal']>> = await parts.bucket.reseal(next);
    next = step.next;
    progress = { ...counted(progress, step), after_object: next ?? progress.after_object };
    const reached = progress;
    await parts.db.transaction((tx) => saveProgress(tx, row, reached));
  }
  return progress;
}

function counted(progress: ReplacementProgress, { resealed, unreadable }: ResealCounts): ReplacementProgress {
  return {
    ...progress,
    resealed: progress.resealed + resealed,
    changed: progress.changed + resealed,
    unreadable: progress.unreadable + unreadable,
  };
}

async function endPass({ db, keys }: PassParts, run: Run): Promise<PassResult> {
  const { row, progress, recordEnd } = run;
  const anew = { ...progress, place: null, after_object: '', changed: 0 };
  // A pass that begins later finds the files that were being written when the replacement began.
  if (progress.changed > 0 || progress.pass === 1) {
    await db.transaction((tx) => saveProgress(tx, row, { ...anew, pass: progress.pass + 1 }));
    return { ms: BETWEEN_PASSES_MS, problem: null };
  }
  const unreadable = progress.unreadable + progress.unreadable_files;
  const isEnded = await db.transaction(async (tx) => {
    const saved = await storedKeyRow(tx);
    const isAccepted = saved !== null && (progressOf(saved)?.accept_unreadable ?? false);
    if (unreadable > 0 && !isAccepted) {
      await saveProgress(tx, row, anew);
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
