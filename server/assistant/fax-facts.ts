import { z } from 'zod';
import { aboutFields } from '../../shared/api/outbound-about-shapes.ts';
import type { FaxJob } from '../../shared/api/outbound-shapes.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../shared/states/outbound.ts';

type Fax = z.infer<typeof FaxJob>;

/** A sent fax as the tools show it. */
export const FaxFacts = z.object({
  id: z.string(),
  to: z.string().describe('E.164'),
  delivery_state: z
    .enum(DELIVERY_STATES)
    .describe('only `success` is delivered; only `success`, `failed` and `cancelled` are final'),
  is_final: z.boolean(),
  pages: z.number().describe('pages of the document'),
  file_name: z.string(),
  problem: z.string().nullable().describe('sentence for people'),
  ...aboutFields,
  cover: z.string().nullable().describe('name of the cover page'),
  contact: z.string().nullable(),
  mailbox: z.string().nullable(),
  send_at: z.string().nullable(),
  send_by: z.string().nullable(),
  waits_for_hours: z.string().nullable().describe('sentence for people'),
  created_at: z.string(),
  updated_at: z.string(),
});

const FINAL: readonly DeliveryState[] = ['success', 'failed', 'cancelled'];

export function faxFacts(fax: Fax): z.infer<typeof FaxFacts> {
  return {
    id: fax.id,
    to: fax.to,
    delivery_state: fax.delivery_state,
    is_final: FINAL.includes(fax.delivery_state),
    pages: fax.document.pages,
    file_name: fax.document.file_name,
    problem: fax.reconciliation_reason ?? fax.held_reason ?? fax.error,
    subject: fax.subject,
    reference: fax.reference,
    document_type: fax.document_type,
    cover: fax.cover?.name ?? null,
    contact: fax.contact?.name ?? null,
    mailbox: fax.mailbox,
    send_at: fax.send_at,
    send_by: fax.send_by,
    waits_for_hours: fax.hours?.reason ?? null,
    created_at: fax.created_at,
    updated_at: fax.updated_at,
  };
}

const SENTENCES: Readonly<Record<DeliveryState, (to: string) => string>> = {
  held: (to) => `The fax to ${to} is held. It is not sent until a person releases it.`,
  ready: (to) => `The fax to ${to} was accepted and waits to be sent. It is not delivered yet.`,
  preparing: (to) => `The fax to ${to} is being prepared. It is not delivered yet.`,
  submitting: (to) => `The fax to ${to} is being handed over. It is not delivered yet.`,
  in_progress: (to) => `The fax to ${to} is being sent. It is not delivered yet.`,
  success: (to) => `The fax to ${to} was delivered.`,
  failed: (to) => `The fax to ${to} was not delivered.`,
  cancelled: (to) => `The fax to ${to} was canceled before it was sent.`,
  reconciliation_required: (to) =>
    `It is not known if the fax to ${to} arrived. A person has to ask the recipient. Do not send it again.`,
};

/** Returns the state of a fax as a sentence, with its problem. */
export function faxSentence(fax: Fax): string {
  const { problem } = faxFacts(fax);
  const who = fax.contact === null ? fax.to : `${fax.to} (${fax.contact.name})`;
  return [SENTENCES[fax.delivery_state](who), problem].filter((text) => text !== null).join(' ');
}
