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

/** `Cloudone` */
export function providerName({ backend }: Pick<InboundFax, 'backend'>): string {
  if (backend === 'test') return t.shell.product;
  return backend.charAt(0).toUpperCase() + backend.slice(1);
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
