import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type DeliveryRoute, deliveryRoutes, deliveryRoutesQuery } from '../../../api/delivery-routes.ts';
import { queryClient, useInstallation } from '../../../api/queries.ts';
import { isRefused } from '../../../api/sentence.ts';
import type { Provider } from '../../../api/settings.ts';
import { usePhoneReader } from '../../../ui/phone-reader.ts';
import { bodyOf, formValuesOf, problemsOf, type TypedRoute } from './route-fields.ts';

/** The fields of a route as they are typed, saved as a new one or as a change of one. */
export function useRouteForm(
  first: DeliveryRoute | undefined,
  providers: readonly Provider[],
  onDone: (saved: DeliveryRoute) => void,
) {
  const [route, setRoute] = useState(first);
  const [typed, setTyped] = useState(() => formValuesOf(first, providers[0]?.backend ?? ''));
  const [isChecked, setChecked] = useState(false);
  const reader = usePhoneReader();
  const country = useInstallation()?.country ?? '';
  const provider = providers.find(({ backend }) => backend === typed.backend);
  const saving = useMutation({
    mutationFn: () => {
      const body = bodyOf(typed, provider);
      return route
        ? deliveryRoutes.changeDeliveryRoute({
            params: { id: route.id },
            body: { ...body, version: route.version },
          })
        : deliveryRoutes.createDeliveryRoute({ body });
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: deliveryRoutesQuery.queryKey });
      onDone(saved);
    },
  });
  const isNumber = (text: string) => reader === null || reader.toE164(text, country) !== null;
  const problems = problemsOf(typed, isNumber);
  return {
    route,
    provider,
    typed,
    type: (change: Partial<TypedRoute>) => setTyped((before) => ({ ...before, ...change })),
    /** Problems show only after an attempt to save. */
    problems: isChecked ? problems : {},
    submit: () => {
      setChecked(true);
      if (Object.keys(problems).length === 0 && !saving.isPending) saving.mutate();
    },
    isPending: saving.isPending,
    error: saving.error,
    isStale: isRefused(saving.error, 'stale'),
    isGone: isRefused(saving.error, 'no_such_delivery_route'),
    /** Takes the values that the other person saved in place of the typed ones. */
    reload: async () => {
      const items = await queryClient.fetchQuery(deliveryRoutesQuery);
      const now = items.find(({ id }) => id === route?.id);
      if (!now) return;
      setRoute(now);
      setTyped(formValuesOf(now, now.backend));
      setChecked(false);
      saving.reset();
    },
  };
}

export type RouteForm = ReturnType<typeof useRouteForm>;
