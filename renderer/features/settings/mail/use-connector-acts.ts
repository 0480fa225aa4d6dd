import { useMutation } from '@tanstack/react-query';
import { type Connector, connectorsQuery, intake } from '../../../api/intake.ts';
import { queryClient } from '../../../api/queries.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { announce } from '../../../ui/live-region.tsx';
import { bodyOf, typedOf } from './connector-fields.ts';

const { said } = t.mailConnectors;

/** Also after a refusal: it may be another connector by now than the one that is shown. */
const refetchConnectors = () => queryClient.invalidateQueries({ queryKey: connectorsQuery.queryKey });

/** Returns the actions for a connector in the version shown. `error` is that of the last one that failed. */
export function useConnectorActs(connector: Connector) {
  const { id, name, version, enabled } = connector;
  const test = useMutation({
    mutationFn: () => intake.testConnector({ params: { id } }),
    onSuccess: ({ detail }) => announce(detail),
    onSettled: refetchConnectors,
  });
  const turn = useMutation({
    mutationFn: () => {
      const typed = { ...typedOf(connector), isOn: !enabled };
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
