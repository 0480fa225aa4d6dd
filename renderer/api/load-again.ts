import { onGatewayBack } from './live.ts';
import { queryClient } from './queries.ts';

/**
 * Asks for everything on the screen that could not be loaded, whenever the gateway is back, until the returned function is
 * called. What was loaded before is read again by the event that says that something was missed.
 */
export function loadAgainWhenBack(): () => void {
  return onGatewayBack(() => {
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null });
  });
}
