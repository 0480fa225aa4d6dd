import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { Directories, DirectoryAccount } from '../../adapters/directory/port.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventBus } from '../../platform/events.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { KeyListener, NumberMemory, ReceivedMemory, RouteNames } from './port.ts';

/** Events for consoles; without an ID when many contacts changed at once. `owners` are mailboxes whose people may see it, null for everybody. */
export type ContactEvents = Record<
  ConsoleEventKind & 'contact.changed',
  { readonly id: string | null; readonly version: number; readonly owners: readonly (string | null)[] }
>;

export interface ContactsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly routes: RouteNames;
  readonly events: EventBus<ContactEvents>;
  /** ISO 3166 alpha-2: whose national numbers are typed. */
  readonly country: () => string;
  readonly directories: Directories;
  /** The office directory of the settings; null for none. */
  readonly directory: () => DirectoryAccount | null;
  /** Resolved on use: a higher room owns it. */
  readonly memory: () => NumberMemory;
  /** Resolved on use: a higher room owns it. */
  readonly received: () => ReceivedMemory;
  /** Resolved on use: a higher room owns it. */
  readonly keyListener: () => KeyListener;
}
