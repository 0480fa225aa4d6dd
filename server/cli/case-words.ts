import type { z } from 'zod';
import type { casesRoutes } from '../../shared/api/cases.ts';
import { STATE_WORDS } from './fax-words.ts';
import { facts, table } from './terminal.ts';

export type SentPacket = z.infer<(typeof casesRoutes.sendCase)['answer']['schema']>;
type PacketPage = z.infer<(typeof casesRoutes.getCase)['answer']['schema']>;
type CaseDocument = SentPacket['documents'][number];

/** Formats a packet that was sent or previewed. */
export function describePacket({ case_id, to, pages, documents, fax_id }: SentPacket): string {
  const packet = facts([
    ['Case', case_id],
    ['To', to],
    ['Pages', pages],
    fax_id === null ? ['Preview', 'nothing was sent'] : ['Fax', fax_id],
  ]);
  return `${packet}\n\n${documentTable(documents)}`;
}

/** Formats the packets of a case, each with its documents. */
export function describePackets({ items }: PacketPage): string {
  return items
    .map(({ fax_id, to, contact, delivery_state, error, pages, created_at, created_by, documents, test }) => {
      const packet = facts([
        ['Fax', fax_id],
        ['To', contact === null ? to : `${contact.name}, ${to}`],
        ['State', `${STATE_WORDS[delivery_state]} (${delivery_state})`],
        ...(test ? [['Test', 'yes: it was handed to nobody'] as const] : []),
        ...(error === null ? [] : [['Reason', error] as const]),
        ['Pages', pages],
        ['Accepted', created_at],
        ['By', created_by.name],
      ]);
      const contents = documents.length === 0 ? 'Only some pages were sent again.' : documentTable(documents);
      return `${packet}\n\n${contents}`;
    })
    .join('\n\n');
}

function documentTable(documents: readonly CaseDocument[]): string {
  const rows = documents.map(({ title, pages, first_page, named }, i) => [
    i + 1,
    title,
    pages,
    first_page === null ? `not sent again: delivered on ${named?.sent_at ?? '-'}` : `from page ${first_page}`,
  ]);
  return table(['NO', 'TITLE', 'PAGES', 'WHERE'], rows);
}
