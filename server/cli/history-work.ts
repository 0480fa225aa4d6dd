import { storeLocationOf } from '../backup/installation.ts';
import type { BootOptions } from '../config/boot.ts';
import { existingDataKey } from '../config/secrets.ts';
import { openForReading } from '../db/snapshot.ts';
import { type HistoryVerification, verifyHistories } from '../features/work/offline.ts';
import { createSeal } from '../platform/seal.ts';
import { missingStoreReason } from './data-folder.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { settleFolder } from './settled-folder.ts';

/** The histories of work items in a data folder, read beside its gateway or without it. */
export async function verifyStoredHistories(boot: BootOptions): Promise<HistoryVerification> {
  await settleFolder(boot);
  const missing = await missingStoreReason(boot);
  if (missing !== null) throw new CommandFailure(missing, EXIT.notFound);
  const key = await existingDataKey({ ...boot, configured: boot.dataKey });
  const db = openForReading(storeLocationOf(boot));
  try {
    return await verifyHistories(() => db.read, key && createSeal(key));
  } finally {
    await db.close();
  }
}
