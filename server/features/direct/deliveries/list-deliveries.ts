import type { z } from 'zod';
import type { DirectDeliveryItem } from '../../../../shared/api/direct-deliveries.ts';
import type { DirectParts } from '../parts.ts';
import { type DeliveryFilter, type DeliveryOfPartner, listDeliveries } from '../store/delivery-store.ts';
import { manifestOf, receiptOf } from './receipt.ts';

type Item = z.infer<typeof DirectDeliveryItem>;

/** Lists documents in both directions, newest first. */
export async function listDocuments(
  { db }: Pick<DirectParts, 'db'>,
  filter: DeliveryFilter,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const { items, next_cursor } = await listDeliveries(db.read, filter);
  return { items: items.map(present), next_cursor };
}

function present(row: DeliveryOfPartner): Item {
  const { message_id, direction, partner_id, fax_number, job_id, inbound_id, size_bytes } = row;
  const receipt = receiptOf(row);
  return {
    message_id,
    direction,
    partner: row.organization,
    partner_id,
    fax_number,
    job_id,
    inbound_id,
    state: row.state === 'withdrawn' ? 'refused' : row.state,
    status: statusOf(row),
    size_bytes,
    created_at: row.created_at,
    accepted_at: row.accepted_at,
    receipt: receipt && { manifest: manifestOf(row), manifest_signature: row.manifest_signature, receipt },
  };
}

function statusOf({ state, direction, problem }: DeliveryOfPartner): string {
  switch (state) {
    case 'sending':
      return 'It is being sent.';
    case 'accepted':
      return direction === 'sent'
        ? 'It arrived as the original. They signed the receipt.'
        : 'It arrived as the original. A signed receipt was given.';
    case 'uncertain':
      return `It may have arrived: ${problem ?? 'the signed receipt has not come.'} Faxdesk asks them again.`;
    case 'refused':
    case 'withdrawn':
      return problem ?? 'It did not arrive directly.';
    default:
      return state satisfies never;
  }
}
