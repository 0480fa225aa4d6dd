import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DesktopPreferenceChanges } from '../../shared/desktop.ts';
import { contextQuery } from '../api/queries.ts';

const queryKey = ['desktop-preferences'];

/** Returns the preferences of the desktop window on this computer; null in a browser and while they load. */
export function useDesktopPreferences() {
  const bridge = window.faxdesk;
  const queries = useQueryClient();
  const preferences = useQuery({
    queryKey,
    enabled: bridge !== undefined,
    // The tray changes them as well.
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    queryFn: async () => (await bridge?.preferences()) ?? null,
  });
  const changing = useMutation({
    mutationFn: async (changes: DesktopPreferenceChanges) => (await bridge?.setPreferences(changes)) ?? null,
    onSuccess: (now) => queries.setQueryData(queryKey, now),
  });
  return { preferences: preferences.data ?? null, changing };
}

/** Returns the mailbox of this computer among those that the person can send for; null for none. */
export function useComputerMailbox(): { readonly id: string; readonly label: string } | null {
  const wanted = useDesktopPreferences().preferences?.mailbox ?? null;
  const mailboxes = useQuery(contextQuery).data?.send?.mailboxes ?? [];
  return mailboxes.find(({ id }) => id === wanted) ?? null;
}
