import { useEffect, useRef, useState } from 'react';
import type { Connector } from '../../../api/intake.ts';
import { usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { ConnectorDialog } from './connector-dialog.tsx';
import { ConnectorFacts } from './connector-facts.tsx';
import styles from './connectors.module.css';
import { OAuthDialog } from './oauth-dialog.tsx';
import { useConnectorActs } from './use-connector-acts.ts';

const words = t.mailConnectors;

/** One connector. Removing asks first, in its place. */
export function ConnectorRow({ connector }: { connector: Connector }) {
  const { name, enabled } = connector;
  const acts = useConnectorActs(connector);
  const mayChange = usePermission('settings:write');
  return (
    <li className={styles['connector']} aria-label={name}>
      <div className={styles['line']}>
        <p className={styles['name']}>{name}</p>
        <StateWord tone={enabled ? 'ok' : 'plain'} icon={enabled ? 'ok' : 'pause'}>
          {enabled ? words.on : words.off}
        </StateWord>
      </div>
      <ConnectorFacts connector={connector} />
      {mayChange && <Actions connector={connector} acts={acts} />}
      {acts.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(acts.error)}
        </Notice>
      )}
    </li>
  );
}

function Actions({ connector, acts }: { connector: Connector; acts: ReturnType<typeof useConnectorActs> }) {
  const [isChanging, setChanging] = useState(false);
  const [isSigningIn, setSigningIn] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const asker = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (!isAsked && wasAsked.current) asker.current?.focus();
    wasAsked.current = isAsked;
  });
  const of = (action: string) => words.actionOf(action, connector.name);
  const turn = connector.enabled ? words.turnOff : words.turnOn;
  if (isAsked)
    return <RemoveQuestion connector={connector} removing={acts.remove} onKeep={() => setAsked(false)} />;
  return (
    <div className={styles['actions']}>
      <Button
        icon="mail"
        aria-label={of(words.test)}
        isPending={acts.test.isPending}
        onPress={() => acts.test.mutate()}
      >
        {acts.test.isPending ? words.testing : words.test}
      </Button>
      <Button aria-label={of(words.change)} onPress={() => setChanging(true)}>
        {words.change}
      </Button>
      <Button aria-label={of(t.mailOAuth.open)} onPress={() => setSigningIn(true)}>
        {t.mailOAuth.open}
      </Button>
      <Button aria-label={of(turn)} isPending={acts.turn.isPending} onPress={() => acts.turn.mutate()}>
        {turn}
      </Button>
      <Button ref={asker} aria-label={of(words.remove)} onPress={() => setAsked(true)}>
        {words.remove}
      </Button>
      {isSigningIn && <OAuthDialog connector={connector} onClose={() => setSigningIn(false)} />}
      {isChanging && <ConnectorDialog connector={connector} onClose={() => setChanging(false)} />}
    </div>
  );
}

/** The keyboard stands on what changes nothing. */
function RemoveQuestion(props: {
  connector: Connector;
  removing: { mutate: () => void; isPending: boolean };
  onKeep: () => void;
}) {
  const { connector, removing, onKeep } = props;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <Notice
      tone="warn"
      isLive
      title={words.removeTitle(connector.name)}
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
