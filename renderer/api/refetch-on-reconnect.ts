import { onReconnect } from './connection.ts';
import { queryClient } from './queries.ts';

/**
 * Reloads everything on the screen that failed to load, whenever the gateway is back, until the returned function is
 * called. Data loaded before is read again when the connection was lost, and on the event that reports missed changes.
 */
export function refetchOnReconnect(): () => void {
  return onReconnect(() => {
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null });
  });
}
