import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { DeskService } from '../desk/service.ts';

/** The settings this room reads, as values in force now. */
export interface CoverSettings {
  country(): string;
  organization(): string | null;
  ownNumber(): string | null;
  timeZone(): string | null;
  /** Word of the office for the reference of a fax. */
  referenceLabel(): string;
}

export interface CoversParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly documents: Documents;
  readonly contacts: ContactsService;
  readonly desk: DeskService;
  readonly settings: CoverSettings;
}
