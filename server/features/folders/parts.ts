import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { AllowedPath } from '../../platform/allowed-folders.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { AccessService } from '../access/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import type { SendManifest } from './send-manifest.ts';

/** Current values of the settings that this room reads. */
export interface FoldersSettings {
  country(): string;
  /** The send folder, or the reason why it may not be used. Null while no folder is watched. */
  folder(): AllowedPath | null;
  /** Sign-in name or ID of the principal for whom files are sent; null for none. */
  sendsFor(): string | null;
  /** ID or label of the mailbox for which files are sent; null for none. */
  mailbox(): string | null;
}

export interface FoldersParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: FoldersSettings;
  readonly seal: Pick<Seal, 'problem'>;
  readonly access: Pick<AccessService, 'callerFor'>;
  readonly outbound: Pick<OutboundService, 'send' | 'repeatOf'>;
  /** Maximum size of a file in bytes. */
  readonly maxFileBytes: () => number;
  /** Parses the manifest beside a file, or returns a sentence about what is invalid in it. */
  readonly checkManifest: (value: unknown) => z.infer<typeof SendManifest> | { readonly problem: string };
  /** Absolute path. */
  readonly dataFolder: string;
  /** Folder for temporary copies of files; emptied at start. */
  readonly workDirectory: string;
}
