import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { usePermission } from '../../api/queries.ts';
import { faxState } from '../../parts/fax-state.ts';
import { inboundState, senderOf } from '../../parts/received/fax-words.ts';
import { t } from '../../texts/index.ts';
import { formatWhen, usePhoneFormat } from '../../ui/format.ts';
import type { Entry, Section } from './entries.ts';

const MAX_FAXES = 6;

/** Received faxes by a part of their number, and the list of all that match. */
export function useReceivedFaxes(query: string): Section[] {
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const text = query.trim();
  const mayList = usePermission('inbound:list');
  const enabled = mayList && /\d{2}/u.test(text);
  const faxes = useQuery({
    queryKey: ['palette-received', text],
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: ({ signal }) => client.inbound.pageInbound({ query: { q: text, limit: MAX_FAXES }, signal }),
  }).data?.items;
  if (!enabled || !faxes) return [];
  const entries = faxes.map((fax): Entry => {
    const { word, icon } = inboundState(fax);
    return {
      id: fax.id,
      label: t.shell.faxFrom(senderOf(fax, phone), word),
      icon,
      aside: formatWhen(fax.received_at),
      run: () => void navigate({ to: '/inbox/{-$receivedId}', params: { receivedId: fax.id } }),
    };
  });
  const all: Entry = {
    id: 'all-received',
    label: t.shell.allReceivedWith(text),
    icon: 'search',
    run: () => void navigate({ to: '/inbox/{-$receivedId}', params: {}, search: { q: text } }),
  };
  return [{ title: t.shell.receivedFaxes, entries: [...entries, all] }];
}

/** Sent faxes by a part of their number or file, and the list of all that match. */
export function useSentFaxes(query: string): Section[] {
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const text = query.trim();
  const faxes = useQuery({
    queryKey: ['palette', text],
    enabled: usePermission('fax:read') && text.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: ({ signal }) => client.outbound.listFaxes({ query: { q: text, limit: MAX_FAXES }, signal }),
  });
  if (text.length < 2 || !faxes.data) return [];
  const entries = faxes.data.items.map((fax): Entry => {
    const { word, icon } = faxState(fax);
    return {
      id: fax.id,
      label: t.shell.faxTo(fax.contact?.name ?? phone(fax.to), word),
      icon,
      aside: formatWhen(fax.created_at),
      run: () => void navigate({ to: '/sent/{-$sentId}', params: { sentId: fax.id } }),
    };
  });
  const all: Entry = {
    id: 'all-faxes',
    label: t.shell.allFaxesWith(text),
    icon: 'search',
    run: () => void navigate({ to: '/sent/{-$sentId}', params: { sentId: undefined }, search: { q: text } }),
  };
  return [{ title: t.shell.faxes, entries: [...entries, all] }];
}
