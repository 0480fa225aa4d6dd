import type { NumberMemory } from '../contacts/port.ts';
import type { SentArchiving } from './cleanup/archived-faxes.ts';
import type { Callbacks } from './outcome/callbacks.ts';
import type { Previews } from './preview/preview.ts';
import type { AcceptanceService } from './services/acceptance.ts';
import type { BroadcastFaxService } from './services/broadcast-faxes.ts';
import type { DecisionService } from './services/decisions.ts';
import type { DocumentService } from './services/documents.ts';
import type { NumberService } from './services/numbers.ts';
import type { PacketService } from './services/packets.ts';
import type { ReadingService } from './services/reading.ts';
import type { UpkeepService } from './services/upkeep.ts';
import type { WarningService } from './services/warnings.ts';

export type { ArchivedRevision } from './cleanup/archived-faxes.ts';
export { documentBeside, editsOf } from './kept-original.ts';
export type { SentAnswer } from './list/answers.ts';
export { presentFax } from './list/present.ts';
export type { SentOutcome } from './types.ts';

/** The service of the room: sending, watching and deciding faxes. Refusals are FaxRefusalError, bad documents DocumentError. */
export interface OutboundService
  extends AcceptanceService,
    ReadingService,
    NumberService,
    PacketService,
    BroadcastFaxService,
    DecisionService,
    DocumentService,
    WarningService,
    UpkeepService {
  /** Previews of the pages that the receiving machine will print. */
  readonly previews: Previews;
  readonly callbacks: Callbacks;
  /** Number lookup for the room of contacts. */
  readonly numberMemory: NumberMemory;
  /** Revisions and removal for the room of archives. */
  readonly archiving: SentArchiving;
}
