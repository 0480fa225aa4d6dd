import type { ReportFacts } from './facts.ts';

type Fax = ReportFacts['fax'];

/** Returns the result in a few words. */
export function resultText(fax: Pick<Fax, 'delivery_state' | 'delivered_by' | 'test' | 'decision'>): string {
  switch (fax.delivery_state) {
    case 'success':
      if (fax.test) return `Recorded as delivered${confirmedByText(fax)}; nothing was sent`;
      if (fax.delivered_by === 'internal') return 'Delivered inside this installation';
      if (fax.delivered_by === 'direct') return 'Delivered directly, receipt signed';
      return `Delivered${confirmedByText(fax)}`;
    case 'failed':
      return `${fax.test ? 'Recorded as not delivered' : 'Not delivered'}${confirmedByText(fax)}`;
    case 'cancelled':
      return 'Canceled before it was sent';
    case 'reconciliation_required':
      return 'Unknown: needs confirmation by a person';
    case 'held':
      return 'Held, not sent';
    case 'ready':
    case 'preparing':
    case 'submitting':
    case 'in_progress':
      return 'In progress';
    default:
      return fax.delivery_state satisfies never;
  }
}

/** A person's word is not the machine's. */
function confirmedByText({ decision }: Pick<Fax, 'decision'>): string {
  return decision === null ? '' : `, confirmed by ${decision.by}`;
}

/** Returns the number of pages that were confirmed, of those sent. */
export function pagesText({
  delivery_state,
  decision,
  document,
  encoded_pages: encoded,
  pages_confirmed: confirmed,
}: Pick<Fax, 'delivery_state' | 'decision' | 'document' | 'encoded_pages' | 'pages_confirmed'>): string {
  const word = delivery_state === 'failed' && decision !== null ? 'arrived' : 'confirmed';
  if (encoded !== null) {
    const sent = `${encoded} encoded pages that carry ${document.pages === 1 ? '1 page' : `${document.pages} pages`}`;
    return confirmed === null ? sent : `${confirmed} of ${sent} ${word}`;
  }
  if (confirmed !== null) return `${confirmed} of ${document.pages} ${word}`;
  return `${document.pages} in the document`;
}
