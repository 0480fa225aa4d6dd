import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Connector, connectorsQuery, intake } from '../../../api/intake.ts';
import { queryClient, useCanManageMail } from '../../../api/queries.ts';
import { Entry } from '../../../parts/entries/entry.tsx';
import { EntryActions } from '../../../parts/entries/removal.tsx';
import { t } from '../../../texts/mail-connectors.ts';
import { Button } from '../../../ui/button.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { ConnectorDialog } from './connector-dialog.tsx';
import { ConnectorFacts } from './connector-facts.tsx';
import { bodyOf, formValuesOf } from './connector-fields.ts';
import { OAuthDialog } from './oauth-dialog.tsx';

const words = t.mailConnectors;
const { said } = t.mailConnectors;

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

/** Also after a refusal: it may be another connector by now than the one that is shown. */
const refetchConnectors = () => queryClient.invalidateQueries({ queryKey: connectorsQuery.queryKey });

/** Returns the actions for a connector in the version shown. `error` is that of the last one that failed. */
function useConnectorActs(connector: Connector) {
  const { id, name, version, enabled } = connector;
  const test = useMutation({
    mutationFn: () => intake.testConnector({ params: { id } }),
    onSuccess: ({ detail }) => announce(detail),
    onSettled: refetchConnectors,
  });
  const turn = useMutation({
    mutationFn: () => {
      const typed = { ...formValuesOf(connector), isOn: !enabled };
      // The stored password stays, also without a sign-in name.
      return intake.changeConnector({ params: { id }, body: { ...bodyOf(typed, version), password: null } });
    },
    onSuccess: (now) => announce(now.enabled ? said.on(name) : said.off(name)),
    onSettled: refetchConnectors,
  });
  const remove = useMutation({
    mutationFn: () => intake.removeConnector({ params: { id }, body: { version } }),
    onSuccess: () => announce(said.removed(name)),
    onSettled: refetchConnectors,
  });
  return { test, turn, remove, error: test.error ?? turn.error ?? remove.error };
}
