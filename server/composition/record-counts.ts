import type { InboundRoom } from '../features/inbound/room.ts';
import type { IntakeRoom } from '../features/intake/room.ts';
import type { OutboundRoom } from '../features/outbound/room.ts';
import type { PrintRulesRoom } from '../features/print-rules/room.ts';
import type { PrintingRoom } from '../features/printing/room.ts';
import type { WebhooksRoom } from '../features/webhooks/room.ts';
import type { WorkRoom } from '../features/work/room.ts';
import type { Clock } from '../platform/clock.ts';
import type { RecordCounts } from './health.ts';

type Counts = Readonly<Record<string, number>>;

/** Returns the counts of the records of the rooms; those of more than 100,000 records are up to a minute old. */
export function recordCounts(
  clock: Clock,
  rooms: {
    readonly outbound: Pick<OutboundRoom, 'service'>;
    readonly inbound: Pick<InboundRoom, 'service'>;
    readonly work: Pick<WorkRoom, 'service'>;
    readonly intake: Pick<IntakeRoom, 'service'>;
    readonly printRules: Pick<PrintRulesRoom, 'service'>;
    readonly printing: Pick<PrintingRoom, 'service'>;
    readonly webhooks: Pick<WebhooksRoom, 'service'>;
  },
): RecordCounts {
  const counted = (count: () => Promise<Counts>) => atIntervals(count, clock);
  return {
    faxes: counted(() => rooms.outbound.service.counts()),
    received_faxes: counted(() => rooms.inbound.service.countByStatus()),
    work_items: counted(() => rooms.work.service.countByState()),
    email_deliveries: counted(() => rooms.intake.service.counts()),
    printouts: counted(() => rooms.printRules.service.counts()),
    printed_documents: counted(() => rooms.printing.service.counts()),
    webhook_deliveries: counted(() => rooms.webhooks.service.counts()),
  };
}

const LARGE = 100_000;
const KEPT_MS = 60_000;

/**
 * Returns the count, that of a large table once a minute: counting reads an index of all its records, a tenth of a second for
 * half a million, and monitoring asks every few seconds.
 */
function atIntervals(count: () => Promise<Counts>, clock: Clock): () => Promise<Counts> {
  let last: { readonly at: number; readonly counts: Counts } | null = null;
  return async () => {
    const now = clock.now();
    const age = last === null ? Number.POSITIVE_INFINITY : now - last.at;
    if (last !== null && age >= 0 && age < KEPT_MS) return last.counts;
    const counts = await count();
    const isLarge = Object.values(counts).reduce((sum, each) => sum + each, 0) > LARGE;
    last = isLarge ? { at: now, counts } : null;
    return counts;
  };
}
