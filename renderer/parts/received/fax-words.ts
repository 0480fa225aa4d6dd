import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { DIRECT_BACKEND, INTERNAL_BACKEND, LINE_BACKEND, TEST_BACKEND } from '../../../shared/backends.ts';
import type { InboundFax } from '../../api/inbound.ts';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import type { StateSign } from '../fax-state.ts';
import { useProviderName } from '../provider-name.ts';

type Phone = (number: string) => string;

export function numberWord(number: string, phone: Phone): string {
  return number === UNKNOWN_NUMBER ? t.inbox.unknownNumber : phone(number);
}

/** Returns the sender by the name people know: the contact; for an import without a number, the source system. */
export function senderOf(
  fax: Pick<InboundFax, 'fr'> & Partial<Pick<InboundFax, 'backend' | 'source_system' | 'contact'>>,
  phone: Phone,
): string {
  if (fax.contact) return fax.contact.name;
  if (fax.source_system && (fax.fr === UNKNOWN_NUMBER || fax.backend === DIRECT_BACKEND))
    return fax.source_system;
  return numberWord(fax.fr, phone);
}

/** Formats the page count: `3 pages`; null while it is unknown. */
export function pagesOf({ pages }: Pick<InboundFax, 'pages'>): string | null {
  return pages === null ? null : t.inbox.pages(formatCount(pages), pages === 1);
}

export function isUnread({ status, read_at }: Pick<InboundFax, 'status' | 'read_at'>): boolean {
  return status === 'received' && read_at === null;
}

/** Returns a function for the name of the source of a received fax. */
export function useSourceName(): (fax: Pick<InboundFax, 'backend' | 'source_system'>) => string {
  const providerName = useProviderName();
  return ({ backend, source_system }) => {
    if (source_system !== null) return source_system;
    if (backend === TEST_BACKEND || backend === INTERNAL_BACKEND) return t.shell.product;
    return backend === LINE_BACKEND ? t.inbox.details.telephone : providerName(backend);
  };
}

/** Returns true for an original that a verified partner delivered directly. */
export const isDirect = ({ backend }: Pick<InboundFax, 'backend'>): boolean => backend === DIRECT_BACKEND;

function wordOfSource(fax: InboundFax): string {
  const words = t.inbox.states;
  if (isDirect(fax)) return words.direct;
  return fax.source_system === null ? words.received : words.imported;
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
      if (fax.junk) return { tone: 'plain', icon: 'block', word: words.junk };
      if (!fax.document_kept) return { tone: 'plain', icon: 'info', word: words.removed };
      if (fax.incomplete) return { tone: 'warn', icon: 'warn', word: words.incomplete };
      if (fax.is_test) return { tone: 'plain', icon: 'info', word: words.test };
      return {
        tone: 'plain',
        icon: 'check',
        word: wordOfSource(fax),
      };
  }
}
