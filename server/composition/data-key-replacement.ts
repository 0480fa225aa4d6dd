import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BucketError } from '../adapters/storage/bucket-port.ts';
import type { BootOptions } from '../config/boot.ts';
import { BOOT_NAMES, type Environment } from '../config/env.ts';
import { DIRECT_KEY_FILE, existingDataKey, writeDataKeys } from '../config/secrets.ts';
import type { Database, WriteTx } from '../db/database.ts';
import type { KeyReplacer, KeySource } from '../features/data-key/port.ts';
import { createDataKey } from '../features/data-key/room.ts';
import type { Room } from '../features/room.ts';
import { type KeyRow, storedKeyRow, updateKeyRow } from '../features/settings/service.ts';
import { type Clock, isoTime } from '../platform/clock.ts';
import { type ChangingKeys, eachKey, keyFingerprint } from '../platform/data-keys.ts';
import { RefusalError } from '../platform/errors.ts';
import { makeKeyProof, opensKeyProof } from '../platform/key-proof.ts';
import type { Logger } from '../platform/logger.ts';
import { createSeal } from '../platform/seal.ts';
import { storeTroubleOf } from '../platform/store-trouble.ts';
import { createTurns } from '../platform/turns.ts';
import { HASH_SECRET, neededKeys } from './data-key.ts';
import {
  DocumentsAwayError,
  type PassParts,
  progressOf,
  type ReplacementProgress,
  runPass,
  saveProgress,
} from './data-key-pass.ts';
import type { Dependencies, Foundation } from './dependencies.ts';

const AFTER_FAULT_MS = 60_000;

interface ReplacerParts extends Omit<PassParts, 'keys'> {
  readonly boot: BootOptions;
  readonly environment: Environment;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: ChangingKeys;
  /** Keys that open files; the former one stays until the gateway stops. */
  readonly fileKeys: ChangingKeys;
  readonly hashSecret: Uint8Array;
}

/** Creates the room of the data key, with the replacement that works on everything that is sealed. */
export function createDataKeyRoom(
  foundation: Foundation,
  shared: Pick<
    Dependencies,
    'common' | 'dataKeys' | 'faxDependencies' | 'fileKeys' | 'hashSecret' | 'securityAudit' | 'storageParts'
  >,
): Room {
  const { boot } = foundation;
  const replacer = createKeyReplacer({
    ...foundation,
    logger: shared.common.logger.room('config'),
    keys: shared.dataKeys,
    fileKeys: shared.fileKeys,
    hashSecret: shared.hashSecret,
    documents: shared.storageParts.storage,
    bucket: shared.storageParts.bucket,
    dataFolder: boot.dataFolder,
    directKeyFile: boot.directKeyPath ?? join(boot.dataFolder, DIRECT_KEY_FILE),
  });
  const audit = shared.securityAudit;
  return createDataKey({ ...shared.common, ...shared.faxDependencies, audit, replacer });
}

/** Creates the replacement of the data key. Its state is in the row of the proof, so that any start goes on with it. */
function createKeyReplacer(parts: ReplacerParts): KeyReplacer {
  const { boot, db } = parts;
  let problem: string | null = null;
  const source = sourceOf(parts);
  /** For work on the keys and their file. */
  const inTurn = createTurns();
  return {
    async state() {
      const row = await mustRow(db);
      const progress = progressOf(row);
      return {
        source,
        fingerprint: keyFingerprint(eachKey(parts.keys.bytes)[0]!),
        madeAt: progress?.started_at ?? row.made_at,
        replacement: progress && {
          startedAt: progress.started_at,
          startedBy: progress.started_by,
          pass: progress.pass,
          resealed: progress.resealed,
          unreadable: progress.unreadable + progress.unreadable_files,
          problem,
        },
      };
    },
    async obstacle() {
      const row = await mustRow(db);
      if (row.next_proof !== null) return UNDER_WAY;
      return WHERE[source] ?? severalSentence(boot);
    },
    begin: (by, record) => inTurn(() => begin(parts, { source, by, record })),
    isUnderWay: async (tx) => ((await storedKeyRow(tx))?.replacement ?? null) !== null,
    async acceptUnreadable() {
      const row = await mustRow(db);
      const progress = progressOf(row);
      if (progress !== null)
        await db.transaction((tx) => saveProgress(tx, row, { ...progress, accept_unreadable: true }));
    },
    async requested() {
      const [first, second] = eachKey(boot.dataKey ?? new Uint8Array());
      const row = await storedKeyRow(db.read);
      if (source !== 'environment' || first === undefined || second === undefined) return null;
      if (row === null || row.next_proof !== null || opensKeyProof(createSeal(first), row.proof)) return null;
      return { by: 'Faxdesk', obstacle: severalSentence(boot) };
    },
    async run(signal, recordEnd) {
      try {
        await inTurn(() => settleKeys(parts, source));
        const row = await mustRow(db);
        const progress = progressOf(row);
        if (progress === null || row.next_proof === null) return null;
        const wait = await runPass(parts, { row, progress, signal, recordEnd });
        problem = wait.problem;
        if (wait.ms === null) await inTurn(() => settleKeys(parts, source));
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
  const { boot, db, clock } = parts;
  const { source, by, record } = given;
  const row = await mustRow(db);
  if (row.next_proof !== null) throw new RefusalError('data_key_not_replaced', { sentence: UNDER_WAY });
  const former = mustNeed(parts.keys.bytes, row);
  const next = nextKey(parts, row, source);
  const unconfirmed = Buffer.concat([former, next]);
  if (source === 'file') await writeDataKeys(boot.dataFolder, unconfirmed);
  // From here on the keys open what the transaction may leave behind.
  setKeys(parts, unconfirmed);
  const nextSeal = createSeal(next);
  const progress: ReplacementProgress = {
    started_at: isoTime(clock.now()),
    started_by: by,
    pass: 1,
    place: null,
    resealed: 0,
    changed: 0,
    unreadable: 0,
    unreadable_files: 0,
    after_object: '',
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
    // A commit without an answer may have been carried out, also later: both keys stay, and the former one seals.
    const now = await storedKeyRow(db.read).catch(() => null);
    if (now?.next_proof !== changed.next_proof) throw error;
  }
  setKeys(parts, Buffer.concat([next, former]));
}

const UNDER_WAY = 'The data key is being replaced already.';

const WHERE: Readonly<Record<KeySource, string | null>> = {
  file: null,
  environment: `The data key comes from the environment. Set ${BOOT_NAMES.dataKey} to a new key and ${BOOT_NAMES.formerDataKey} to the current one, and start Faxdesk again.`,
  keychain:
    'The data key is in the keychain of this computer, where Faxdesk cannot replace it. Make a backup, quit the desktop application, restore the backup with faxdesk restore, start faxdesk serve, and replace the data key there. The desktop application takes over the new one at its next start.',
};

function sourceOf({ boot, environment }: ReplacerParts): KeySource {
  if (environment[BOOT_NAMES.dataKey] !== undefined) return 'environment';
  return boot.dataKey === null ? 'file' : 'keychain';
}

/** Every gateway has to have the new key before anything is sealed with it. */
function severalSentence({ severalGateways = false }: BootOptions): string | null {
  return severalGateways
    ? 'Several gateways may use this database. Stop the others, start one without SEVERAL_GATEWAYS, and replace the data key there.'
    : null;
}

async function mustRow(db: Database): Promise<KeyRow> {
  const row = await storedKeyRow(db.read);
  if (row === null) throw new Error('the store has no proof of its data key');
  return row;
}

function setKeys({ keys, fileKeys }: Pick<ReplacerParts, 'keys' | 'fileKeys'>, bytes: Uint8Array): void {
  keys.bytes = bytes;
  fileKeys.bytes = bytes;
}

/** Returns the new key: that of the environment, the one of an earlier attempt whose commit may still come, or a random one. */
function nextKey({ boot, keys }: ReplacerParts, { proof }: KeyRow, source: KeySource): Uint8Array {
  const known = source === 'file' ? keys.bytes : (boot.dataKey ?? new Uint8Array());
  const other = eachKey(known).find((key) => !opensKeyProof(createSeal(key), proof));
  if (other === undefined && source !== 'file') throw new Error(`there is no new data key in the ${source}`);
  return other ?? randomBytes(32);
}

function mustNeed(found: Uint8Array, row: KeyRow): Uint8Array {
  const needed = neededKeys(found, row);
  if (needed === null) throw new Error('a data key of the store is missing');
  return needed;
}

/**
 * Makes the keys of the gateway and those in the key file the ones that the store needs, in their order, so that whatever seals from
 * now on does it with the first one: also a command that works without the gateway.
 */
async function settleKeys(parts: ReplacerParts, source: KeySource): Promise<void> {
  const { boot, db, keys } = parts;
  const row = await mustRow(db);
  const needed = mustNeed(keys.bytes, row);
  if (row.next_proof !== null && !Buffer.from(needed).equals(keys.bytes)) setKeys(parts, needed);
  if (source !== 'file') return;
  const inFile = await existingDataKey({ configured: null, dataFolder: boot.dataFolder });
  // A key whose commit may still come stays in both.
  if (inFile !== null && !Buffer.from(keys.bytes).equals(inFile))
    await writeDataKeys(boot.dataFolder, keys.bytes);
}

function faultSentence(error: unknown): string {
  if (error instanceof BucketError)
    return `The replacement of the data key waits for the bucket with documents. ${error.sentence}`;
  if (error instanceof DocumentsAwayError)
    return 'The replacement of the data key waits for the folder with documents. Check that its disk is connected. It continues automatically.';
  const reason = storeTroubleOf(error) === 'full' ? 'a full disk' : 'an error, which the log has';
  return `The replacement of the data key waits because of ${reason}. It continues automatically.`;
}
