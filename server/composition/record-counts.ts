import type { InboundRoom } from '../features/inbound/room.ts';
import type { IntakeRoom } from '../features/intake/room.ts';
import type { OutboundRoom } from '../features/outbound/room.ts';
import type { PrintRulesRoom } from '../features/print-rules/room.ts';
import type { PrintingRoom } from '../features/printing/room.ts';
import type { WebhooksRoom } from '../features/webhooks/room.ts';
import type { WorkRoom } from '../features/work/room.ts';
import type { RecordCounts } from './health.ts';

/** Returns the counts of the records of the rooms. */
export function recordCounts(rooms: {
  readonly outbound: Pick<OutboundRoom, 'service'>;
  readonly inbound: Pick<InboundRoom, 'service'>;
  readonly work: Pick<WorkRoom, 'service'>;
  readonly intake: Pick<IntakeRoom, 'service'>;
  readonly printRules: Pick<PrintRulesRoom, 'service'>;
  readonly printing: Pick<PrintingRoom, 'service'>;
  readonly webhooks: Pick<WebhooksRoom, 'service'>;
}): RecordCounts {
  return {
    faxes: () => rooms.outbound.service.counts(),
    received_faxes: () => rooms.inbound.service.countByStatus(),
    work_items: () => rooms.work.service.countByState(),
    email_deliveries: () => rooms.intake.service.counts(),
    printouts: () => rooms.printRules.service.counts(),
    printed_documents: () => rooms.printing.service.counts(),
    webhook_deliveries: () => rooms.webhooks.service.counts(),
  };
}
