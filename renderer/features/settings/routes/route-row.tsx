import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { LINE_BACKEND } from '../../../../shared/backends.ts';
import { type DeliveryRoute, deliveryRoutes, deliveryRoutesQuery } from '../../../api/delivery-routes.ts';
import { queryClient, usePermission } from '../../../api/queries.ts';
import type { Provider } from '../../../api/settings.ts';
import { Entry } from '../../../parts/entries/entry.tsx';
import { EntryActions } from '../../../parts/entries/removal.tsx';
import { useProviderName } from '../../../parts/provider-name.ts';
import { t } from '../../../texts/delivery-routes.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatCount, usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { RouteDialog } from './route-dialog.tsx';

const words = t.deliveryRoutes;
const { said } = t.deliveryRoutes;

/** One route. */
export function RouteRow({ route, providers }: { route: DeliveryRoute; providers: readonly Provider[] }) {
  const acts = useRouteActs(route);
  const mayChange = usePermission('routing:manage');
  return (
    <Entry name={route.name} state={<State route={route} />} error={acts.error}>
      <Facts route={route} />
      {route.enabled && route.problem !== null && <Notice tone="warn">{route.problem}</Notice>}
      {mayChange && <Actions route={route} providers={providers} acts={acts} />}
    </Entry>
  );
}

function State({ route: { enabled, problem } }: { route: DeliveryRoute }) {
  if (!enabled)
    return (
      <StateWord tone="plain" icon="pause">
        {words.off}
      </StateWord>
    );
  return problem === null ? (
    <StateWord tone="ok" icon="ok">
      {words.on}
    </StateWord>
  ) : (
    <StateWord tone="warn" icon="warn">
      {words.broken}
    </StateWord>
  );
}

function Facts({ route }: { route: DeliveryRoute }) {
  const phone = usePhoneFormat();
  const provider = useProviderName()(route.backend);
  const { prefixes, priority, lines, own_number, header_name, next_allowed } = route;
  const header = [header_name, own_number === null ? null : phone(own_number)].filter((one) => one !== null);
  const { facts } = words;
  const isLine = route.backend === LINE_BACKEND;
  return (
    <FactList wordWidth={120}>
      <Fact name={facts.numbers}>{prefixes.length === 0 ? facts.all : prefixes.join(' ')}</Fact>
      <Fact name={facts.provider}>
        {route.has_account ? (isLine ? facts.ownTrunk : facts.ownAccount)(provider) : provider}
      </Fact>
      <Fact name={facts.priority}>{formatCount(priority)}</Fact>
      {lines !== null && <Fact name={facts.lines}>{formatCount(lines)}</Fact>}
      {header.length > 0 && <Fact name={facts.header}>{header.join(', ')}</Fact>}
      {!next_allowed && <Fact name={facts.failure}>{facts.stays}</Fact>}
    </FactList>
  );
}

function Actions(props: {
  route: DeliveryRoute;
  providers: readonly Provider[];
  acts: ReturnType<typeof useRouteActs>;
}) {
  const { route, providers, acts } = props;
  const [isChanging, setChanging] = useState(false);
  const of = (action: string) => words.actionOf(action, route.name);
  const turn = route.enabled ? words.turnOff : words.turnOn;
  return (
    <EntryActions name={route.name} words={words} removeLabel={of(words.remove)} removing={acts.remove}>
      <Button aria-label={of(words.change)} onPress={() => setChanging(true)}>
        {words.change}
      </Button>
      <Button aria-label={of(turn)} isPending={acts.turn.isPending} onPress={() => acts.turn.mutate()}>
        {turn}
      </Button>
      {isChanging && <RouteDialog route={route} providers={providers} onClose={() => setChanging(false)} />}
    </EntryActions>
  );
}

/** Also after a refusal: it may be another route by now than the one that is shown. */
const refetchRoutes = () => queryClient.invalidateQueries({ queryKey: deliveryRoutesQuery.queryKey });

/** Returns the actions for a route in the version shown. `error` is that of the last one that failed. */
function useRouteActs({ id, name, version, enabled }: DeliveryRoute) {
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
