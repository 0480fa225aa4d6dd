import { readdir, rm, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Clock } from '../../../platform/clock.ts';
import { errorCode } from '../../../platform/errors.ts';
import { copyShared, makeSharedFolder } from '../../../platform/shared-folder.ts';
import { sipSettings } from './settings.ts';

const FOLDER = ['telephony', 'outgoing'] as const;
/** Longer than any call; what is older was left by a crash. */
const ORPHAN_AGE_MS = 48 * 3_600_000;

/** The pages of faxes that are being called for, where the engine reads them. */
export interface OutgoingImages {
  /** Returns the path for drawing a new image, in a folder that the process of documents can write to. */
  draftOf(attemptId: string): string;
  /** Takes the drawn image to where the engine reads it, whose account shares the folder. From here on a call may have been begun. */
  publish(attemptId: string): Promise<void>;
  /** Returns true when a call may have been begun for it. */
  has(attemptId: string): Promise<boolean>;
  remove(attemptId: string): Promise<void>;
  /** Returns its path as the engine sees it; null where that path cannot be passed to the engine. */
  pathAtEngine(attemptId: string, engineFolder: string | null): string | null;
}

export function createOutgoingImages({
  dataFolder,
  clock,
}: {
  dataFolder: string;
  clock: Clock;
}): OutgoingImages {
  const folder = join(dataFolder, ...FOLDER);
  const nameOf = (attemptId: string) => `${attemptId}.tiff`;
  const draftOf = (attemptId: string) => join(dataFolder, 'work', `line-${nameOf(attemptId)}`);
  const pathOf = (attemptId: string) => join(folder, nameOf(attemptId));

  async function removeLeft(): Promise<void> {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (found && clock.now() - found.mtimeMs > ORPHAN_AGE_MS) await rm(path, { force: true });
    }
  }

  return {
    draftOf,
    async publish(attemptId) {
      await makeSharedFolder(folder);
      await removeLeft();
      await copyShared(draftOf(attemptId), pathOf(attemptId));
      await rm(draftOf(attemptId), { force: true });
    },
    async has(attemptId) {
      try {
        return (await stat(pathOf(attemptId))).isFile();
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return false;
        throw error;
      }
    },
    async remove(attemptId) {
      await rm(pathOf(attemptId), { force: true });
    },
    pathAtEngine(attemptId, engineFolder) {
      const base = engineFolder ?? dataFolder;
      const isSafe = sipSettings.TELEPHONY_ENGINE_FOLDER.schema.safeParse(base).success;
      return isSafe ? posix.join(base, ...FOLDER, nameOf(attemptId)) : null;
    },
  };
}
