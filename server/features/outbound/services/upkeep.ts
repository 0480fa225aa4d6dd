import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Schedule } from '../../../jobs/schedule.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import type { Previews } from '../preview/preview.ts';
import type { UnusableKeyHandler } from '../record/unusable-key.ts';

/** Starts and stops what the room does in the background. */
export interface UpkeepService {
  /** Clears what a crash left on the disk; then the room may take requests. */
  start(): Promise<void>;
  /** Ends the previews, before the store is closed. */
  stop(): Promise<void>;
  /** Does at once what a timer does otherwise. */
  catchUp(): Promise<void>;
  /** Plans the next cleanup by the present interval. */
  planCleanup(): Promise<void>;
}

interface UpkeepParts {
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
  readonly previews: Pick<Previews, 'close'>;
  readonly unusableKeyHandler: UnusableKeyHandler;
  readonly cleanup: Schedule;
  readonly missedCallbacks: Schedule;
}

export function createUpkeepService(parts: UpkeepParts): UpkeepService {
  const { workDirectory, previews, unusableKeyHandler, cleanup, missedCallbacks } = parts;
  const planCleanup = () => cleanup.plan();
  return {
    async start() {
      await makeFolder(workDirectory);
      for (const name of await readdir(workDirectory))
        await rm(join(workDirectory, name), { recursive: true, force: true });
      await planCleanup();
      await missedCallbacks.plan();
      unusableKeyHandler.start();
    },
    async stop() {
      await unusableKeyHandler.stop();
      await previews.close();
    },
    catchUp: () => unusableKeyHandler.check(),
    planCleanup,
  };
}
