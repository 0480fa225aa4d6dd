import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import type { InboundFax } from '../../api/inbound.ts';
import type { StateSign } from '../../parts/fax-state.ts';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';

type Phone = (number: string) => string;

export function numberWord(number: string, phone: Phone): string {
  return number === UNKNOWN_NUMBER ? t.inbox.unknownNumber : phone(number);
}

/** Who sent it, as people know them. */
export function senderOf(fax: Pick<InboundFax, 'fr'>, phone: Phone): string {
  return numberWord(fax.fr, phone);
}

/** `3 pages`; null while nobody knows. */
export function pagesOf({ pages }: Pick<InboundFax, 'pages'>): string | null {
  return pages === null ? null : t.inbox.pages(formatCount(pages), pages === 1);
}

export function isUnread({ status, read_at }: Pick<InboundFax, 'status' | 'read_at'>): boolean {
  return status === 'received' && read_at === null;
}

/** What the way is called by which the fax came in; providers by the names of the console context. */
export function sourceName(
  { backend }: Pick<InboundFax, 'backend'>,
  providers: Readonly<Record<string, string>> | undefined,
): string {
  if (backend === 'test') return t.shell.product;
  if (backend === 'sip') return t.inbox.details.telephone;
  return providers?.[backend] ?? t.send.provider;
}

/** The state of a received fax in one or two words with its sign. */
export function inboundState(fax: InboundFax): StateSign {
  const words = t.inbox.states;
  switch (fax.status) {
    case 'waiting':
      return { tone: 'go', icon: 'download', word: words.fetching };
    case 'failed':
      return { tone: 'danger', icon: 'alert', word: words.failed };
    case 'received':
      if (!fax.document_kept) return { tone: 'plain', icon: 'info', word: words.removed };
      if (fax.is_test) return { tone: 'plain', icon: 'info', word: words.test };
      return { tone: 'plain', icon: 'check', word: words.received };
  }
}
