import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { WAY_BACK_FILE } from '../../shared/data-folder.ts';
import { flushFolder, writeDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';

const WayBack = z.object({
  version: z.literal(1),
  /** The release that made the backup. */
  release: z.string(),
  /** Absolute path of the backup. */
  backup: z.string(),
});
type WayBack = Omit<z.infer<typeof WayBack>, 'version'>;

/**
 * Allows going back to a backup that was made before an update. To be called under the lock of the data folder, while nothing
 * has been accepted, received or sent since the backup: every gateway closes the way back before it opens.
 */
export async function openWayBack(dataFolder: string, { release, backup }: WayBack): Promise<void> {
  const text = JSON.stringify({ version: 1, release, backup } satisfies z.infer<typeof WayBack>);
  await writeDurably(join(dataFolder, WAY_BACK_FILE), `${text}\n`);
}

/** Returns the backup to which this installation may go back; null when there is none. */
export async function readWayBack(dataFolder: string): Promise<WayBack | null> {
  try {
    return WayBack.parse(JSON.parse(await readFile(join(dataFolder, WAY_BACK_FILE), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * To be called before a gateway opens: from then on the store may have what the backup lacks. Lasts through a power failure.
 */
export async function closeWayBack(dataFolder: string): Promise<void> {
  try {
    await rm(join(dataFolder, WAY_BACK_FILE));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  await flushFolder(dataFolder);
}
