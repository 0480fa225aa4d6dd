import { useState } from 'react';
import type { Connector } from '../../../api/intake.ts';
import { useCanManageMail } from '../../../api/queries.ts';
import { Entry } from '../../../parts/entries/entry.tsx';
import { EntryActions } from '../../../parts/entries/removal.tsx';
import { t } from '../../../texts/mail-connectors.ts';
import { Button } from '../../../ui/button.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { ConnectorDialog } from './connector-dialog.tsx';
import { ConnectorFacts } from './connector-facts.tsx';
import { OAuthDialog } from './oauth-dialog.tsx';
import { useConnectorActs } from './use-connector-acts.ts';

const words = t.mailConnectors;

/** One connector. */
export function ConnectorRow({ connector }: { connector: Connector }) {
  const { name, enabled } = connector;
  const acts = useConnectorActs(connector);
  const mayChange = useCanManageMail();
  const state = (
    <StateWord tone={enabled ? 'ok' : 'plain'} icon={enabled ? 'ok' : 'pause'}>
      {enabled ? words.on : words.off}
    </StateWord>
  );
  return (
    <Entry name={name} state={state} error={acts.error}>
      <ConnectorFacts connector={connector} />
      {mayChange && <Actions connector={connector} acts={acts} />}
    </Entry>
  );
}

function Actions({ connector, acts }: { connector: Connector; acts: ReturnType<typeof useConnectorActs> }) {
  const [open, setOpen] = useState<'change' | 'oauth' | null>(null);
  const close = () => setOpen(null);
  const of = (action: string) => words.actionOf(action, connector.name);
  const turn = connector.enabled ? words.turnOff : words.turnOn;
  return (
    <EntryActions name={connector.name} words={words} removeLabel={of(words.remove)} removing={acts.remove}>
      <Button
        icon="mail"
        aria-label={of(words.test)}
        isPending={acts.test.isPending}
        onPress={() => acts.test.mutate()}
      >
        {acts.test.isPending ? words.testing : words.test}
      </Button>
      <Button aria-label={of(words.change)} onPress={() => setOpen('change')}>
        {words.change}
      </Button>
      <Button aria-label={of(t.mailOAuth.open)} onPress={() => setOpen('oauth')}>
        {t.mailOAuth.open}
      </Button>
      <Button aria-label={of(turn)} isPending={acts.turn.isPending} onPress={() => acts.turn.mutate()}>
        {turn}
      </Button>
      {open === 'oauth' && <OAuthDialog connector={connector} onClose={close} />}
      {open === 'change' && <ConnectorDialog connector={connector} onClose={close} />}
    </EntryActions>
  );
}
