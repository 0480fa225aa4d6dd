import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { HeldFaxes } from './port.ts';

export interface HoldsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly contacts: Pick<ContactsService, 'get'>;
  /** Called when needed: it comes with higher rooms. */
  readonly faxes: () => HeldFaxes;
  /** Country of numbers without one. */
  readonly country: () => string;
}
