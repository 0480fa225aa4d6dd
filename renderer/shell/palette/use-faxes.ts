import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { usePermission } from '../../api/queries.ts';
import { faxState } from '../../parts/fax-state.ts';
import { inboundState, numberWord, senderOf } from '../../parts/received/fax-words.ts';
import { t } from '../../texts/index.ts';
import { formatWhen, usePhoneFormat } from '../../ui/format.ts';
import type { Entry, Section } from './entries.ts';

const MAX_FAXES = 6;

/** Returns the first received faxes that match; undefined while they load, and without permission to list them. */
function useReceived(text: string) {
  const enabled = usePermission('inbound:list') && text.length > 1;
  const faxes = useQuery({
    queryKey: ['palette-received', text],
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: ({ signal }) => client.inbound.pageInbound({ query: { q: text, limit: MAX_FAXES }, signal }),
  }).data?.items;
  return enabled ? faxes : undefined;
}

/** Received faxes by a part of their number or of the name of its contact, and the list of all that match. */
export function useReceivedFaxes(query: string): Section[] {
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const text = query.trim();
  const faxes = useReceived(text);
  // A text without a hit leads nowhere; a number may have one among older faxes.
  if (!faxes || (faxes.length === 0 && !/\d{2}/u.test(text))) return [];
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

/**
 * Received faxes by their work item: also by a part of the note or of the mailbox, or by the day. Finished ones are among
 * them, and can be reopened there.
 */
export function useWorkItems(query: string): Section[] {
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const text = query.trim();
  const enabled = usePermission('work:read') && text.length > 1;
  const items = useQuery({
    queryKey: ['palette-work', text],
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: ({ signal }) =>
      client.work.listWork({ query: { q: text, view: 'all', limit: MAX_FAXES }, signal }),
  }).data?.items;
  const received = useReceived(text) ?? [];
  if (!enabled || !items || items.length === 0) return [];
  // Those found by number or name are in the list of received faxes.
  const others = items.filter((item) => received.every(({ id }) => id !== item.inbound_fax_id));
  const entries = others.map((item): Entry => {
    const from =
      item.contact?.name ??
      (item.from_number === null ? t.inbox.unknownNumber : numberWord(item.from_number, phone));
    return {
      id: `work-${item.id}`,
      label: t.shell.faxFrom(from, item.done_note ?? item.state_text),
      icon: 'work',
      aside: formatWhen(item.available_at),
      run: () => void navigate({ to: '/work/{-$workId}', params: { workId: item.id } }),
    };
  });
  const all: Entry = {
    id: 'all-work',
    label: t.shell.allWorkWith(text),
    icon: 'search',
    run: () =>
      void navigate({
        to: '/work/{-$workId}',
        params: { workId: undefined },
        search: { view: 'all', q: text },
      }),
  };
  return [{ title: t.shell.workItems, entries: [...entries, all] }];
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
