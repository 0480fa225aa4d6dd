import type { Database } from '../../db/database.ts';
import type { EarlierEnvironment } from '../settings/types.ts';
import type { EarlierFiles } from './files.ts';
import type { Takers } from './port.ts';
import type { ReadingFacts } from './read-sent.ts';
import type { OnProgress, Recorder } from './recorder.ts';
import type { EarlierStore } from './store.ts';

/** Dependencies of every part of an upgrade. */
export interface PartContext extends ReadingFacts {
  /** The store of this installation; in a dry run it is only read. */
  readonly db: Database;
  readonly earlier: EarlierStore;
  readonly files: EarlierFiles;
  readonly takers: Takers;
  readonly environment: EarlierEnvironment | null;
  readonly recorder: Recorder;
  readonly onProgress: OnProgress;
  readonly isDryRun: boolean;
  /** Documents received since then wait for an owner. ISO 8601 UTC. */
  readonly openSince: string;
}
