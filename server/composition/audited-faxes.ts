import type { AuditedFax } from '../features/audit/port.ts';
import type { FindAuditedFaxes } from '../features/audit/room.ts';
import type { InboundRoom } from '../features/inbound/room.ts';
import type { OutboundRoom } from '../features/outbound/room.ts';

/** Finds the sent and received faxes of audit entries in the lists that the caller may see. */
export function findAuditedFaxes(
  outbound: OutboundRoom['service'],
  inbound: InboundRoom['service'],
): FindAuditedFaxes {
  return async (caller, targets) => {
    const idsOf = (kind: string) => [
      ...new Set(targets.flatMap((it) => (it.kind === kind && it.id !== null ? [it.id] : []))),
    ];
    const sent = await listed(idsOf('fax'), (request) => outbound.list(caller, request));
    const received = await listed(idsOf('inbound_fax'), (request) => inbound.list(caller, request));
    const faxes: AuditedFax[] = [
      ...sent.map(({ job, contact }) => ({
        id: job.id,
        direction: 'sent' as const,
        number: job.to_number,
        name: contact?.name ?? null,
        pages: job.document_pages,
        created_at: job.created_at,
      })),
      ...received.map(({ id, fr, contact, pages, received_at }) => ({
        id,
        direction: 'received' as const,
        number: fr,
        name: contact?.name ?? null,
        pages,
        created_at: received_at,
      })),
    ];
    return new Map(faxes.map((fax) => [fax.id, fax]));
  };
}

async function listed<Item>(
  ids: string[],
  list: (request: { ids: string[]; limit: number }) => Promise<{ items: Item[] }>,
): Promise<Item[]> {
  return ids.length === 0 ? [] : (await list({ ids, limit: ids.length })).items;
}
