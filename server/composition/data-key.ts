import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BootOptions } from '../config/boot.ts';
import { dataKey, KEY_FILES, writeDataKeys } from '../config/secrets.ts';
import type { Database } from '../db/database.ts';
import { type KeyRow, storedKeyRow, storeKeyProof } from '../features/settings/service.ts';
import type { Clock } from '../platform/clock.ts';
import { type ChangingKeys, eachKey } from '../platform/data-keys.ts';
import { hashSecretOf } from '../platform/hash.ts';
import { opensKeyProof } from '../platform/key-proof.ts';
import { KEY_PROBLEMS } from '../platform/key-state.ts';
import type { Logger } from '../platform/logger.ts';
import { createSeal, type Seal } from '../platform/seal.ts';
import { createFileSealer, type FileSealer } from '../platform/sealed-file.ts';

/** The data keys, and what is made of them. While they are not those of the store nothing is sealed with them. */
interface DataKey {
  readonly keys: ChangingKeys;
  /** The same for files; a former key stays there until the gateway stops. */
  readonly fileKeys: ChangingKeys;
  /** Secret of keyed hashes. */
  readonly hashSecret: Uint8Array;
  readonly seal: Seal;
  readonly files: FileSealer;
}

interface OpeningParts {
  readonly boot: BootOptions;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Compares the data key with the proof of it in the store, which the first start leaves there. A key that is missing is made
 * only where there is no proof, or where `acceptDataKey` says that the former one is lost. While the data key is replaced there
 * are two keys and two proofs. Throws BootError.
 */
export async function openDataKey(parts: OpeningParts): Promise<DataKey> {
  const { boot, db, clock } = parts;
  const logger = parts.logger.room('config');
  const accepts = boot.acceptDataKey ?? false;
  const row = await storedKeyRow(db.read);
  const mayMake = row === null || accepts;
  const found = await dataKey({ dataFolder: boot.dataFolder, configured: boot.dataKey, mayMake, logger });
  if (found === null) return lockedKey(randomBytes(32), KEY_PROBLEMS.missing, logger);
  const given = createSeal(found);
  if (row === null) await storeKeyProof(db, createSeal(eachKey(found)[0]!), { clock, replacing: null });
  else if (accepts && neededKeys(found, row) === null) {
    await storeKeyProof(db, given, { clock, replacing: row.proof });
    logger.warn({}, 'the present data key was accepted; what was sealed with the former one does not open');
  }
  // Another gateway on the same store may have left its proof first.
  const kept = await storedKeyRow(db.read);
  const needed = kept === null ? null : neededKeys(found, kept);
  if (kept === null || needed === null) return lockedKey(found, KEY_PROBLEMS.other, logger);
  const keys: ChangingKeys = { bytes: needed };
  if (boot.dataKey === null && !Buffer.from(keys.bytes).equals(found))
    await writeDataKeys(boot.dataFolder, keys.bytes);
  const seal = createSeal(keys);
  const hashSecret =
    kept.hash_secret === null
      ? hashSecretOf(keys.bytes)
      : Buffer.from(seal.open(kept.hash_secret, HASH_SECRET), 'base64');
  const fileKeys: ChangingKeys = { bytes: keys.bytes };
  return { keys, fileKeys, hashSecret, seal, files: createFileSealer(fileKeys) };
}

/** Context of the sealed secret of keyed hashes. */
export const HASH_SECRET = 'hash_secret';

/**
 * Returns those of some keys that the store needs, the one that seals first; null when one is missing. A second key without a second
 * proof is that of a replacement that ended, or that did not begin.
 */
export function neededKeys(found: Uint8Array, { proof, next_proof }: KeyRow): Uint8Array | null {
  const opening = (text: string) => eachKey(found).find((key) => opensKeyProof(createSeal(key), text));
  const current = opening(proof);
  const next = next_proof === null ? null : opening(next_proof);
  if (current === undefined || next === undefined) return null;
  return next === null ? current : Buffer.concat([next, current]);
}

/**
 * Returns a sentence when the file of the data key went away while the gateway works with that key, null when it is there or
 * the key comes from elsewhere. The path is left to the log, as everybody may ask whether the gateway is ready.
 */
export function lostKeyFile(
  { dataFolder, dataKey: given }: BootOptions,
  key: Pick<Seal, 'problem'>,
): string | null {
  if (given !== null || key.problem !== null || existsSync(join(dataFolder, KEY_FILES.data))) return null;
  return `The data key (${KEY_FILES.data}) has been missing from the data folder since Faxdesk was started. Put the file back before the next start, or make a backup now: Faxdesk still has the key.`;
}

/**
 * Returns a data key that reports the problem and neither seals nor opens anything, for a gateway without the right
 * key.
 */
function lockedKey(secret: Uint8Array, problem: string, logger: Logger): DataKey {
  logger.error({ problem }, 'the data key is not that of the store; nothing is sent or received');
  return {
    keys: { bytes: secret },
    fileKeys: { bytes: secret },
    hashSecret: hashSecretOf(secret),
    seal: createSeal(secret, problem),
    files: createFileSealer(secret, { mayMakeKeys: false }),
  };
}
