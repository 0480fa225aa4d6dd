import { useEffect, useRef, useState } from 'react';
import type { DeliveryRoute } from '../../../api/delivery-routes.ts';
import { usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import type { Provider } from '../../../api/settings.ts';
import { useProviderName } from '../../../parts/provider-name.ts';
import { t } from '../../../texts/delivery-routes.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatCount, usePhoneFormat } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { RouteDialog } from './route-dialog.tsx';
import styles from './routes.module.css';
import { useRouteActs } from './use-route-acts.ts';

const words = t.deliveryRoutes;

/** One route. Removing asks first, in its place. */
export function RouteRow({ route, providers }: { route: DeliveryRoute; providers: readonly Provider[] }) {
  const acts = useRouteActs(route);
  const mayChange = usePermission('routing:manage');
  return (
    <li className={styles['route']} aria-label={route.name}>
      <div className={styles['line']}>
        <p className={styles['name']}>{route.name}</p>
        <State route={route} />
      </div>
      <Facts route={route} />
      {route.enabled && route.problem !== null && <Notice tone="warn">{route.problem}</Notice>}
      {mayChange && <Actions route={route} providers={providers} acts={acts} />}
      {acts.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(acts.error)}
        </Notice>
      )}
    </li>
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
  return (
    <FactList wordWidth={120}>
      <Fact name={facts.numbers}>{prefixes.length === 0 ? facts.all : prefixes.join(' ')}</Fact>
      <Fact name={facts.provider}>{route.has_account ? facts.ownAccount(provider) : provider}</Fact>
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
  const [isAsked, setAsked] = useState(false);
  const asker = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (!isAsked && wasAsked.current) asker.current?.focus();
    wasAsked.current = isAsked;
  });
  const of = (action: string) => words.actionOf(action, route.name);
  const turn = route.enabled ? words.turnOff : words.turnOn;
  if (isAsked) return <RemoveQuestion route={route} removing={acts.remove} onKeep={() => setAsked(false)} />;
  return (
    <div className={styles['actions']}>
      <Button aria-label={of(words.change)} onPress={() => setChanging(true)}>
        {words.change}
      </Button>
      <Button aria-label={of(turn)} isPending={acts.turn.isPending} onPress={() => acts.turn.mutate()}>
        {turn}
      </Button>
      <Button ref={asker} aria-label={of(words.remove)} onPress={() => setAsked(true)}>
        {words.remove}
      </Button>
      {isChanging && <RouteDialog route={route} providers={providers} onClose={() => setChanging(false)} />}
    </div>
  );
}

/** The keyboard stands on what changes nothing. */
function RemoveQuestion(props: {
  route: DeliveryRoute;
  removing: { mutate: () => void; isPending: boolean };
  onKeep: () => void;
}) {
  const { route, removing, onKeep } = props;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <Notice
      tone="warn"
      isLive
      title={words.removeTitle(route.name)}
      action={
        <div className={styles['line']}>
          <Button isPending={removing.isPending} onPress={() => removing.mutate()}>
            {words.removeYes}
          </Button>
          <Button ref={keep} onPress={onKeep}>
            {words.removeNo}
          </Button>
        </div>
      }
    >
      {words.removeSentence}
    </Notice>
  );
}
