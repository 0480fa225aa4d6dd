import { storeLocationOf } from '../backup/installation.ts';
import type { BootOptions } from '../config/boot.ts';
import { dataKeyAtHand } from '../config/secrets.ts';
import { openForReading } from '../db/snapshot.ts';
import { type HistoryVerification, verifyHistories } from '../features/work/offline.ts';
import { createSeal } from '../platform/seal.ts';
import { settleFolder } from './settled-folder.ts';

/** The histories of work items in a data folder, read beside its gateway or without it. */
export async function verifyStoredHistories(boot: BootOptions): Promise<HistoryVerification> {
  await settleFolder(boot);
  const key = await dataKeyAtHand({ ...boot, given: boot.dataKey });
  const db = openForReading(storeLocationOf(boot));
  try {
    return await verifyHistories(() => db.read, key && createSeal(key));
  } finally {
    await db.close();
  }
}
