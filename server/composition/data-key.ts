import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BootOptions } from '../config/boot.ts';
import { dataKey, KEY_FILES } from '../config/secrets.ts';
import type { Database } from '../db/database.ts';
import { storedKeyProof, storeKeyProof } from '../features/settings/service.ts';
import type { Clock } from '../platform/clock.ts';
import { opensKeyProof } from '../platform/key-proof.ts';
import { KEY_PROBLEMS } from '../platform/key-state.ts';
import type { Logger } from '../platform/logger.ts';
import { createSeal, type Seal } from '../platform/seal.ts';
import { createFileSealer, type FileSealer } from '../platform/sealed-file.ts';

/** The data key, and what is made of it. While it is not that of the store nothing is sealed with it. */
interface DataKey {
  readonly secret: Uint8Array;
  readonly seal: Seal;
  readonly files: FileSealer;
}

/**
 * Compares the data key with the proof of it in the store, which the first start leaves there. A key that is missing is made
 * only where there is no proof, or where `acceptDataKey` says that the former one is lost. Throws BootError.
 */
export async function openDataKey(parts: {
  boot: BootOptions;
  db: Database;
  clock: Clock;
  logger: Logger;
}): Promise<DataKey> {
  const { boot, db, clock } = parts;
  const logger = parts.logger.room('config');
  const accepts = boot.acceptDataKey ?? false;
  const proof = await storedKeyProof(db.read);
  const mayMake = proof === null || accepts;
  const secret = await dataKey({ dataFolder: boot.dataFolder, configured: boot.dataKey, mayMake, logger });
  if (secret === null) return lockedKey(randomBytes(32), KEY_PROBLEMS.missing, logger);
  const seal = createSeal(secret);
  if (proof === null) await storeKeyProof(db, seal, { clock, replacing: null });
  else if (accepts && !opensKeyProof(seal, proof)) {
    await storeKeyProof(db, seal, { clock, replacing: proof });
    logger.warn({}, 'the present data key was accepted; what was sealed with the former one does not open');
  }
  // Another gateway on the same store may have left its proof first.
  const kept = await storedKeyProof(db.read);
  if (kept !== null && !opensKeyProof(seal, kept)) return lockedKey(secret, KEY_PROBLEMS.other, logger);
  return { secret, seal, files: createFileSealer(secret) };
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
    secret,
    seal: createSeal(secret, problem),
    files: createFileSealer(secret, { mayMakeKeys: false }),
  };
}
