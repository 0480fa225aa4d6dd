import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { storeLocationOf } from '../backup/installation.ts';
import { existingDataKey } from '../config/secrets.ts';
import { openForReading } from '../db/snapshot.ts';
import { type AuditVerification, verifySecurityAudit } from '../features/audit/offline.ts';
import { verifyChainedLines } from '../platform/chained-lines.ts';
import { createSeal } from '../platform/seal.ts';
import { installedBoot, presentBoot } from './data-folder.ts';
import { settleFolder } from './settled-folder.ts';

/** The security audit of a data folder, read without its gateway. */
export async function verifyStore(dataFolder: string | undefined): Promise<AuditVerification> {
  await settleFolder(await presentBoot(dataFolder));
  const boot = await installedBoot(dataFolder);
  const key = await existingDataKey({ ...boot, configured: boot.dataKey });
  const db = openForReading(storeLocationOf(boot));
  try {
    return await verifySecurityAudit(() => db.read, key && createSeal(key));
  } finally {
    await db.close();
  }
}

/** The lines of an audit file. */
export function verifyFile(path: string) {
  return verifyChainedLines(createInterface({ input: createReadStream(path), crlfDelay: Infinity }));
}
