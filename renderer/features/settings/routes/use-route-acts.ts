import { useMutation } from '@tanstack/react-query';
import { type DeliveryRoute, deliveryRoutes, deliveryRoutesQuery } from '../../../api/delivery-routes.ts';
import { queryClient } from '../../../api/queries.ts';
import { t } from '../../../texts/delivery-routes.ts';
import { announce } from '../../../ui/live-region.tsx';

const { said } = t.deliveryRoutes;

/** Also after a refusal: it may be another route by now than the one that is shown. */
const refetchRoutes = () => queryClient.invalidateQueries({ queryKey: deliveryRoutesQuery.queryKey });

/** Returns the actions for a route in the version shown. `error` is that of the last one that failed. */
export function useRouteActs({ id, name, version, enabled }: DeliveryRoute) {
  const params = { id };
  const turn = useMutation({
    mutationFn: () => deliveryRoutes.changeDeliveryRoute({ params, body: { version, enabled: !enabled } }),
    onSuccess: (now) => announce(now.enabled ? said.on(name) : said.off(name)),
    onSettled: refetchRoutes,
  });
  const remove = useMutation({
    mutationFn: () => deliveryRoutes.removeDeliveryRoute({ params, body: { version } }),
    onSuccess: () => announce(said.removed(name)),
    onSettled: refetchRoutes,
  });
  return { turn, remove, error: turn.error ?? remove.error };
}
