import { useQuery } from '@tanstack/react-query';
import type { MailOAuthProvider } from '../../../../shared/mail-server.ts';
import { type Connector, lastDeliveryQuery } from '../../../api/intake.ts';
import { MAIL_SIGNS } from '../../../parts/mail/mail-signs.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatFully, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { StateWord } from '../../../ui/state-word.tsx';
import styles from './connectors.module.css';

const words = t.mailConnectors.facts;

/** Shows the faxes, recipients and server of a connector, and its last delivery. */
export function ConnectorFacts({ connector }: { connector: Connector }) {
  const phone = usePhoneFormat();
  const { match_number, recipients, host, port, security } = connector;
  const { securities, unencrypted } = t.mailConnectors.form;
  return (
    <FactList wordWidth={104}>
      <Fact name={words.faxes}>
        {match_number === null ? words.toAny : words.toNumber(phone(match_number))}
      </Fact>
      <Fact name={words.recipients}>{recipients.join(', ')}</Fact>
      <Fact name={words.server}>
        {words.serverWords(host, String(port), security === 'none' ? unencrypted : securities[security])}
      </Fact>
      {connector.oauth_provider !== null && (
        <Fact name={t.mailOAuth.fact}>
          <SignIn provider={connector.oauth_provider} problem={connector.oauth_problem} />
        </Fact>
      )}
      <Fact name={words.lastTest}>
        <LastTest test={connector.last_test} />
      </Fact>
      <Fact name={words.lastDelivery}>
        <LastDelivery connectorId={connector.id} />
      </Fact>
    </FactList>
  );
}

function SignIn({ provider, problem }: { provider: MailOAuthProvider; problem: string | null }) {
  const { signedIn, providers } = t.mailOAuth;
  if (problem === null) return signedIn(providers[provider]);
  return (
    <StateWord tone="danger" icon="alert" size="body">
      <span className={styles['sentence']}>{problem}</span>
    </StateWord>
  );
}

function LastTest({ test }: { test: Connector['last_test'] }) {
  if (test === null) return words.notTested;
  return (
    <span title={formatFully(test.at)}>
      <StateWord tone={test.ok ? 'ok' : 'danger'} icon={test.ok ? 'ok' : 'alert'} size="body">
        <span className={styles['sentence']}>{words.tested(test.detail, formatWhen(test.at))}</span>
      </StateWord>
    </span>
  );
}

/** Shows the last delivery; nothing while it loads. */
function LastDelivery({ connectorId }: { connectorId: string }) {
  const last = useQuery(lastDeliveryQuery(connectorId)).data;
  if (last === undefined) return null;
  if (last === null) return words.noDelivery;
  const { state, sentence, updated_at: at } = last;
  return (
    <span title={formatFully(at)}>
      <StateWord {...MAIL_SIGNS[state]} size="body">
        {words.delivered(t.mail.states[state], formatWhen(at))}
      </StateWord>
      {sentence !== null && <span className={styles['note']}>{sentence}</span>}
    </span>
  );
}
