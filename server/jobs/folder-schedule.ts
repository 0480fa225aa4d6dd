import type { JobKind } from '../../shared/job-kinds.ts';
import type { Database } from '../db/database.ts';
import type { AllowedPath } from '../platform/allowed-folders.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Seal } from '../platform/seal.ts';
import { createFolderWatch, type FolderUse } from '../platform/watched-folder/folder-watch.ts';
import type { Queue } from './queue.ts';
import { type Schedule, schedule } from './schedule.ts';

/** Polling interval of a watched folder, in ms. */
const POLL_INTERVAL_MS = 10_000;

interface FolderScheduleParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Pick<Seal, 'problem'>;
  /** Absolute. */
  readonly dataFolder: string;
}

export interface FolderSchedule extends Schedule {
  /** Warnings for an administrator, as sentences. */
  warnings(): readonly string[];
}

/**
 * Polls a folder of the settings every ten seconds while one is set and may be used. `createFolderWatch` decides when a
 * file has settled and what is tried again; `use` says what is done with it. `folder` returns the folder of the present
 * settings, null for none; `plan` is called at start and when it was changed.
 */
export function scheduleFolder(
  parts: FolderScheduleParts,
  args: { kind: JobKind; folder: () => AllowedPath | null; use: FolderUse },
): FolderSchedule {
  const { db, queue, clock, seal } = parts;
  const watch = createFolderWatch(parts, args.use);
  const path = () => {
    const folder = args.folder();
    return folder !== null && 'path' in folder ? folder.path : null;
  };
  const repeated = schedule({
    kind: args.kind,
    everyMs: () => (path() === null ? 0 : POLL_INTERVAL_MS),
    async run() {
      const folder = path();
      // While the key of records is missing, no file is taken: its record could not be sealed.
      if (folder !== null && seal.problem === null) await watch.poll(folder);
    },
    db,
    queue,
    clock,
  });
  return { ...repeated, warnings: () => (path() === null ? [] : watch.warnings()) };
}
