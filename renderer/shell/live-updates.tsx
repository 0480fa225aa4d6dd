import { useCallback, useEffect } from 'react';
import { type Change, openLive, useChanges } from '../api/live.ts';
import { queryClient } from '../api/queries.ts';

/** Brings what is shown up to date when the gateway says that it changed. Screens update their own lists in place. */
export function LiveUpdates() {
  useEffect(openLive, []);
  const apply = useCallback((change: Change) => {
    switch (change.kind) {
      case 'reset':
        void queryClient.invalidateQueries();
        return;
      case 'settings.changed':
        for (const name of ['settings', 'installation', 'context'])
          void queryClient.invalidateQueries({ queryKey: [name] });
        return;
      case 'fax.changed':
        void queryClient.invalidateQueries({ queryKey: ['fax', change.id] });
        void queryClient.invalidateQueries({ queryKey: ['fax-counts'] });
        return;
      case 'inbound.changed':
        void queryClient.invalidateQueries({ queryKey: ['inbound', change.id] });
        void queryClient.invalidateQueries({ queryKey: ['inbound-counts'] });
        return;
    }
  }, []);
  useChanges(apply);
  return null;
}
