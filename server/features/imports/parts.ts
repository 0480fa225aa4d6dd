import type { z } from 'zod';
import type { ImportManifest } from '../../../shared/api/imports.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { AllowedPath } from '../../platform/allowed-folders.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { InboundService } from '../inbound/service.ts';

/** The settings this room reads, as values in force now. */
export interface ImportsSettings {
  country(): string;
  /**
   * Folder where documents are left to be imported, or the reason why it may not be used. Null while no folder is
   * watched.
   */
  folder(): AllowedPath | null;
}

export interface ImportsParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly inbound: InboundService;
  readonly settings: ImportsSettings;
  readonly seal: Pick<Seal, 'problem'>;
  /** Parses the text of a manifest, or returns a sentence that says what is invalid. */
  readonly checkManifest: (value: unknown) => z.infer<typeof ImportManifest> | { readonly problem: string };
  /** Absolute. */
  readonly dataFolder: string;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
