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
  /** Where documents are left to be imported, or why they may not be; null while no folder is watched. */
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
  /** What the text of a manifest holds, or what does not fit, as a sentence. */
  readonly checkManifest: (value: unknown) => z.infer<typeof ImportManifest> | { readonly problem: string };
  /** Absolute. */
  readonly dataFolder: string;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
