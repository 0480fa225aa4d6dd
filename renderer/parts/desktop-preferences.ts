import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DesktopPreferenceChanges } from '../../../shared/desktop.ts';

const queryKey = ['desktop-preferences'];

/** Returns the preferences of the desktop window on this computer; null in a browser and while they load. */
export function useDesktopPreferences() {
  const bridge = window.faxdesk;
  const queries = useQueryClient();
  const preferences = useQuery({
    queryKey,
    enabled: bridge !== undefined,
    queryFn: async () => (await bridge?.preferences()) ?? null,
  });
  const changing = useMutation({
    mutationFn: async (changes: DesktopPreferenceChanges) => (await bridge?.setPreferences(changes)) ?? null,
    onSuccess: (now) => queries.setQueryData(queryKey, now),
  });
  return { preferences: preferences.data ?? null, changing };
}
