import type { z } from 'zod';
import type { Backup, BackupList, ConsoleStatus, LogLine } from '../../../shared/api/console.ts';
import type { ConsoleContextResponse } from '../../../shared/api/console-context.ts';
import type { ConsoleChanges } from '../../../shared/api/console-events.ts';
import type { Installation } from '../../../shared/api/console-installation.ts';

export type ConsoleContext = z.infer<typeof ConsoleContextResponse>;
export type Changes = z.infer<typeof ConsoleChanges>;
export type InstallationFacts = z.infer<typeof Installation>;
export type StatusFacts = z.infer<typeof ConsoleStatus>;
export type LoggedLine = z.infer<typeof LogLine>;
export type BackupFacts = z.infer<typeof BackupList>;
export type BackupItem = z.infer<typeof Backup>;
