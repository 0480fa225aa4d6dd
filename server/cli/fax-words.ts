import type { z } from 'zod';
import type { FaxJob } from '../../shared/api/outbound-shapes.ts';
import type { DeliveryState } from '../../shared/states.ts';
import { facts } from './terminal.ts';

export type Fax = z.infer<typeof FaxJob>;

/** What a state means, in the words of the screens. */
export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  held: 'held; it goes when somebody releases it',
  ready: 'accepted, waiting to be sent',
  preparing: 'being prepared',
  submitting: 'being submitted to the provider',
  in_progress: 'with the provider, on its way',
  success: 'delivered',
  failed: 'not delivered',
  cancelled: 'cancelled before it was sent',
  reconciliation_required: 'uncertain; a person must decide',
};

export function describeFax(fax: Fax): string {
  return facts([
    ['Fax', fax.id],
    ['To', fax.to],
    ['State', `${STATE_WORDS[fax.delivery_state]} (${fax.delivery_state})`],
    ...(fax.error ? [['Reason', fax.error] as const] : []),
    ...(fax.reconciliation_reason ? [['Question', fax.reconciliation_reason] as const] : []),
    ['Document', `${fax.document.file_name}, ${pagesOf(fax.document.pages)}`],
    ...(fax.mailbox === null ? [] : [['Mailbox', fax.mailbox] as const]),
    ...(fax.titles.length > 0 ? [['Titles', fax.titles.join(', ')] as const] : []),
    ...(fax.clean_greys ? [['Greys', 'cleaned'] as const] : []),
    ...(fax.send_at ? [['Not sent before', fax.send_at] as const] : []),
    ['Confirmed pages', fax.attempt?.pages_sent ?? null],
    ['Provider fax', fax.provider_sid && `${fax.provider_sid} (${fax.backend})`],
    ['Cost', fax.cost && `${fax.cost.amount} ${fax.cost.currency}`],
    ['Accepted', fax.created_at],
    ['Changed', fax.updated_at],
    ['Version', fax.delivery_version],
    ...(fax.resend_of ? [['Resend of', fax.resend_of] as const] : []),
  ]);
}

function pagesOf(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}
