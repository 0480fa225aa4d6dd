import type { z } from 'zod';
import type {
  Backup,
  CONSOLE_EVENTS,
  ConsoleChanges,
  ConsoleEventKind,
  ConsoleStatus,
  Installation,
  LogLine,
} from '../../../shared/api/console.ts';
import type { ConsoleContextResponse } from '../../../shared/api/console-context.ts';
import type { HttpsState } from '../../../shared/api/https.ts';

export type ConsoleContext = z.infer<typeof ConsoleContextResponse>;
export type HttpsFacts = z.infer<typeof HttpsState>;

/** An event before it has a place. */
export type ConsoleEventData = {
  [K in ConsoleEventKind]: { readonly kind: K; readonly data: z.infer<(typeof CONSOLE_EVENTS)[K]> };
}[ConsoleEventKind];

export type Changes = z.infer<typeof ConsoleChanges>;
export type InstallationFacts = z.infer<typeof Installation>;
export type StatusFacts = z.infer<typeof ConsoleStatus>;
export type LoggedLine = z.infer<typeof LogLine>;
export type BackupItem = z.infer<typeof Backup>;
