import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { BootOptions } from '../config/boot.ts';
import { BOOT_NAMES, type Environment } from '../config/env.ts';
import { DIRECT_KEY_FILE, existingDataKey, writeDataKeys } from '../config/secrets.ts';
import type { Database, WriteTx } from '../db/database.ts';
import { type ReplacingSeals, type ResealCounts, type ResealPlace, resealRows } from '../db/reseal-rows.ts';
import type { KeyReplacer, KeySource } from '../features/data-key/port.ts';
import { type KeyRow, settleNextKey, storedKeyRow, updateKeyRow } from '../features/settings/service.ts';
import { type Clock, isoTime } from '../platform/clock.ts';
import { type ChangingKeys, eachKey } from '../platform/data-keys.ts';
import { errorCode } from '../platform/errors.ts';
import { makeKeyProof, opensKeyProof } from '../platform/key-proof.ts';
import type { Logger } from '../platform/logger.ts';
import { createSeal } from '../platform/seal.ts';
import { createFileSealer } from '../platform/sealed-file.ts';
import { HASH_SECRET } from './data-key.ts';
import type { Dependencies, Foundation } from './dependencies.ts';
import { renewHeaders, resealTextFiles, type SealedFile } from './resealed-files.ts';

/** A text that was read before the new key was there is written within this time. */
const BETWEEN_PASSES_MS = 60_000;
const AFTER_FAULT_MS = 60_000;
const BLOCKED_MS = 10 * 60_000;

const Progress = z.object({
  started_at: z.string(),
  started_by: z.string(),
  pass: z.number().int(),
  /** Place in the present pass; null at its beginning. */
  place: z
    .object({
      table: z.string(),
      after: z.array(z.union([z.string(), z.number()])).nullable(),
    })
    .nullable(),
  /** Sealed anew in all, and in the present pass. */
  resealed: z.number().int(),
  changed: z.number().int(),
  unreadable: z.number().int(),
  accept_unreadable: z.boolean(),
});
type Progress = z.infer<typeof Progress>;

interface ReplacerParts {
  readonly boot: BootOptions;
  readonly environment: Environment;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: ChangingKeys;
  /** Keys that open files; the former one stays until the gateway stops. */
  readonly fileKeys: ChangingKeys;
  readonly hashSecret: Uint8Array;
  /** Address of the bucket with documents; null without one. */
  readonly bucket: () => string | null;
  /** Absolute path of the key file of direct delivery. */
  readonly directKeyFile: string;
}

/** Creates the replacement of the data key from what rooms share. */
export function keyReplacer(foundation: Foundation, shared: Dependencies): KeyReplacer {
  const { boot } = foundation;
  return createKeyReplacer({
    ...foundation,
    logger: shared.common.logger.room('config'),
    keys: shared.dataKeys,
    fileKeys: shared.fileKeys,
    hashSecret: shared.hashSecret,
    bucket: () => shared.storageParts.bucket.state().address,
    directKeyFile: boot.directKeyPath ?? join(boot.dataFolder, DIRECT_KEY_FILE),
  });
}

/** Creates the replacement of the data key. Its state is in the row of the proof, so that any start goes on with it. */
function createKeyReplacer(parts: ReplacerParts): KeyReplacer {
  const { boot, db } = parts;
  let problem: string | null = null;
  const source = sourceOf(parts);
  return {
    async state() {
      const row = await mustRow(db);
      const progress = progressOf(row);
      return {
        source,
        madeAt: row.made_at,
        replacement: progress && {
          startedAt: progress.started_at,
          startedBy: progress.started_by,
          pass: progress.pass,
          resealed: progress.resealed,
          unreadable: progress.unreadable,
          problem,
        },
      };
    },
    async obstacle() {
      const row = await mustRow(db);
      if (row.next_proof !== null) return 'The data key is being replaced already.';
      return WHERE[source] ?? obstacleHere(parts);
    },
    begin: (by, record) => begin(parts, { source, by, record }),
    async acceptUnreadable() {
      const row = await mustRow(db);
      const progress = progressOf(row);
      if (progress === null) return;
      await db.transaction((tx) => save(tx, row, { ...progress, accept_unreadable: true }));
    },
    async requested() {
      const [first, second] = eachKey(boot.dataKey ?? new Uint8Array());
      const row = await storedKeyRow(db.read);
      if (first === undefined || second === undefined || row === null || row.next_proof !== null) return null;
      return opensKeyProof(createSeal(first), row.proof) ? null : { by: 'Faxdesk' };
    },
    async run(signal, recordEnd) {
      const row = await mustRow(db);
      const progress = progressOf(row);
      if (progress === null || row.next_proof === null) {
        await tidyFile(parts, source);
        return null;
      }
      try {
        const wait = await pass(parts, { row, progress, signal, recordEnd });
        problem = wait.problem;
        if (wait.ms === null) await tidyFile(parts, source);
        return wait.ms;
      } catch (error) {
        parts.logger.error({ error }, 'the replacement of the data key could not go on');
        problem = faultSentence(error);
        return AFTER_FAULT_MS;
      }
    },
  };
}

/** See `begin` of the port. */
async function begin(
  parts: ReplacerParts,
  given: { source: KeySource; by: string; record: (tx: WriteTx) => Promise<void> },
): Promise<void> {
  const { boot, db, clock, keys } = parts;
  const { source, by, record } = given;
  const row = await mustRow(db);
  const former = keys.bytes;
  const next = await nextKey(parts, row);
  const both = Buffer.concat([next, former]);
  if (source === 'file') await writeDataKeys(boot.dataFolder, both);
  // From here on the key opens what the transaction may leave behind.
  setKeys(parts, Buffer.concat([former, next]));
  const nextSeal = createSeal(next);
  const progress: Progress = {
    started_at: isoTime(clock.now()),
    started_by: by,
    pass: 1,
    place: null,
    resealed: 0,
    changed: 0,
    unreadable: 0,
    accept_unreadable: false,
  };
  const changed = {
    next_proof: makeKeyProof(nextSeal),
    hash_secret: nextSeal.seal(Buffer.from(parts.hashSecret).toString('base64'), HASH_SECRET),
    replacement: JSON.stringify(progress),
  };
  try {
    await db.transaction(async (tx) => {
      if (!(await updateKeyRow(tx, row.proof, changed)))
        throw new Error('the data key was replaced meanwhile');
      await record(tx);
    });
  } catch (error) {
    // A commit without an answer may have been carried out.
    const now = await storedKeyRow(db.read).catch(() => null);
    if (now !== null && now.next_proof === null) setKeys(parts, former);
    if (now?.next_proof !== changed.next_proof) throw error;
  }
  setKeys(parts, both);
}

const WHERE: Readonly<Record<KeySource, string | null>> = {
  file: null,
  environment: `The data key comes from the environment. Set ${BOOT_NAMES.dataKey} to a new key and ${BOOT_NAMES.formerDataKey} to the present one, and start Faxdesk again.`,
  keychain:
    'The data key is in the keychain of the desktop application, where it cannot be replaced while Faxdesk runs.',
};

function sourceOf({ boot, environment }: ReplacerParts): KeySource {
  if (environment[BOOT_NAMES.dataKey] !== undefined) return 'environment';
  return boot.dataKey === null ? 'file' : 'keychain';
}

function obstacleHere({ boot, bucket }: ReplacerParts): string | null {
  if (boot.severalGateways)
    return 'Several gateways may use this database. Stop the others, start one without SEVERAL_GATEWAYS, and replace the data key there.';
  return bucketSentence(bucket());
}

function bucketSentence(address: string | null): string | null {
  if (address === null) return null;
  return `Documents may be in the bucket ${address}, whose keys cannot be replaced. Move the documents back to the data folder, clear S3_BUCKET, and try again.`;
}

async function mustRow(db: Database): Promise<KeyRow> {
  const row = await storedKeyRow(db.read);
  if (row === null) throw new Error('the store has no proof of its data key');
  return row;
}

function progressOf({ replacement }: KeyRow): Progress | null {
  return replacement === null ? null : Progress.parse(JSON.parse(replacement));
}

function setKeys({ keys, fileKeys }: Pick<ReplacerParts, 'keys' | 'fileKeys'>, bytes: Uint8Array): void {
  keys.bytes = bytes;
  fileKeys.bytes = bytes;
}

/** Returns the new key: that of the environment, the one that an earlier attempt left in the key file, or a random one. */
async function nextKey({ boot }: ReplacerParts, { proof }: KeyRow): Promise<Uint8Array> {
  const known = await existingDataKey({ configured: boot.dataKey, dataFolder: boot.dataFolder });
  const other = eachKey(known ?? new Uint8Array()).find((key) => !opensKeyProof(createSeal(key), proof));
  return other ?? randomBytes(32);
}

async function save(tx: WriteTx, row: KeyRow, progress: Progress): Promise<void> {
  if (!(await updateKeyRow(tx, row.proof, { replacement: JSON.stringify(progress) })))
    throw new Error('the replacement of the data key was ended by another gateway');
}

/** Leaves the present key alone in the key file. */
async function tidyFile({ boot, keys }: ReplacerParts, source: KeySource): Promise<void> {
  if (source !== 'file') return;
  const inFile = await existingDataKey({ configured: null, dataFolder: boot.dataFolder });
  if (inFile !== null && inFile.length > keys.bytes.length) await writeDataKeys(boot.dataFolder, keys.bytes);
}

interface PassParts {
  readonly row: KeyRow;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly recordEnd: (tx: WriteTx) => Promise<void>;
}

/** Result of a pass: when it goes on, null at the end, and the reason why it does not end. */
interface PassResult {
  readonly ms: number | null;
  readonly problem: string | null;
}

/**
 * Goes through everything once, from the place where an earlier run stopped: what the new key alone does not open is sealed anew.
 * A pass in which the new key opens everything is the proof that the former one is not needed, and ends the replacement.
 */
async function pass(
  parts: ReplacerParts,
  { row, signal, recordEnd, ...from }: PassParts,
): Promise<PassResult> {
  const { db, clock, keys } = parts;
  let { progress } = from;
  const seals: ReplacingSeals = {
    next: createSeal(eachKey(keys.bytes)[0]!),
    both: createSeal(keys.bytes),
  };
  const isStopped = () => signal.aborted;
  await resealRows(db, progress.place, {
    seals,
    isStopped,
    record: (tx, place, counts) => save(tx, row, advance(progress, place, counts)),
    onRecorded(place, counts) {
      progress = advance(progress, place, counts);
    },
  });
  if (isStopped()) return { ms: 0, problem: null };
  const texts = await resealTextFiles(textFiles(parts), seals);
  const sealer = createFileSealer(keys.bytes);
  const documents = await renewHeaders(parts.boot.dataFolder, {
    folders: ['files', 'work'],
    sealer,
    isStopped,
  });
  for (const counts of [texts, documents]) progress = advance(progress, progress.place, counts);
  if (isStopped()) {
    await db.transaction((tx) => save(tx, row, progress));
    return { ms: 0, problem: null };
  }
  if (progress.changed > 0) {
    const next = { ...progress, pass: progress.pass + 1, place: null, changed: 0, unreadable: 0 };
    await db.transaction((tx) => save(tx, row, next));
    return { ms: BETWEEN_PASSES_MS, problem: null };
  }
  const blocked = blockedBy(parts, progress);
  if (blocked !== null) {
    await db.transaction((tx) => save(tx, row, { ...progress, place: null }));
    return { ms: BLOCKED_MS, problem: blocked };
  }
  await db.transaction(async (tx) => {
    if (await settleNextKey(tx, clock.now())) await recordEnd(tx);
  });
  keys.bytes = eachKey(keys.bytes)[0]!;
  return { ms: null, problem: null };
}

function advance(progress: Progress, place: ResealPlace | null, counts: ResealCounts): Progress {
  return {
    ...progress,
    place: place && { table: place.table, after: place.after && [...place.after] },
    resealed: progress.resealed + counts.resealed,
    changed: progress.changed + counts.resealed,
    unreadable: progress.unreadable + counts.unreadable,
  };
}

/** Returns the reason why the former key has to stay although everything that opens was sealed anew; null without one. */
function blockedBy(parts: ReplacerParts, { unreadable, accept_unreadable }: Progress): string | null {
  if (unreadable > 0 && !accept_unreadable)
    return `${unreadable} stored secrets or documents open with neither data key, so the former key is kept. To give them up, run faxdesk data-key replace --leave-unreadable.`;
  return bucketSentence(parts.bucket());
}

function textFiles({ boot, directKeyFile }: ReplacerParts): SealedFile[] {
  const { dataFolder } = boot;
  return [
    { path: join(dataFolder, 'audit-log.end'), context: 'audit_log_end', isKeptOpen: true },
    { path: join(dataFolder, 'https', 'root.sealed'), context: 'https/root.sealed' },
    { path: join(dataFolder, 'https', 'server.sealed'), context: 'https/server.sealed' },
    { path: directKeyFile, context: 'direct_identity' },
  ];
}

function faultSentence(error: unknown): string {
  const reason = errorCode(error) === 'ENOSPC' ? 'a full disk' : 'an error, which the log has';
  return `The replacement of the data key waits because of ${reason}. It goes on by itself.`;
}
