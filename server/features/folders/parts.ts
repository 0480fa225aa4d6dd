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

/** The settings this room reads, as values in force now. */
export interface FoldersSettings {
  country(): string;
  /** Folder where files are left to be sent, or the reason why it may not be used. Null while no folder is watched. */
  folder(): AllowedPath | null;
  /** Principal that files are sent for, a login or an id; null for none. */
  sendsFor(): string | null;
  /** Id or label; null for none. */
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
  /** The largest file that is accepted. */
  readonly maxFileBytes: () => number;
  /** Parses the text beside a file, or returns a sentence that says what is invalid. */
  readonly checkManifest: (value: unknown) => z.infer<typeof SendManifest> | { readonly problem: string };
  /** Absolute. */
  readonly dataFolder: string;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
