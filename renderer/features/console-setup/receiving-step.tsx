import { useQuery } from '@tanstack/react-query';
import { LINE_BACKEND } from '../../../shared/backends.ts';
import { type Provider, type Settings, settingsQuery } from '../../api/settings.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { CallbackAddresses } from '../../parts/settings/callback-addresses.tsx';
import { ConnectionCheck, useConnection } from '../../parts/settings/connection-check.tsx';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { useReceivingForm } from './receiving-form.ts';
import styles from './setup.module.css';
import { StepPage, useGoTo } from './step-page.tsx';

const words = t.setup.receiving;

/** Step that turns receiving on or off and shows how faxes arrive. */
export function ReceivingStep() {
  const settings = useQuery(settingsQuery);
  if (settings.data) return <ReceivingPage settings={settings.data} />;
  return <LoadProblem of={settings} />;
}

function ReceivingPage({ settings }: { settings: Settings }) {
  const form = useReceivingForm(settings);
  return (
    <StepPage
      step="receiving"
      title={words.title}
      sentence={words.sentence}
      submit={t.setup.next}
      onSubmit={form.submit}
      isBusy={form.isBusy}
    >
      <RadioCards
        label={words.title}
        value={form.answer}
        onChange={form.choose}
        options={[
          { id: 'receive', label: words.receive, help: words.receiveHelp },
          { id: 'send_only', label: words.sendOnly, help: words.sendOnlyHelp },
        ]}
      />
      {form.answer === 'receive' && (
        <section className={styles['part']} aria-labelledby="arrival">
          <h2 id="arrival" className={styles['label']}>
            {words.arrival}
          </h2>
          {form.provider ? <Arrival provider={form.provider} settings={settings} /> : <NoProvider />}
        </section>
      )}
      {form.problem !== null && (
        <Notice tone="danger" isLive>
          {form.problem}
        </Notice>
      )}
    </StepPage>
  );
}

function NoProvider() {
  return (
    <Notice tone="warn" action={<ToProvider>{words.toProvider}</ToProvider>}>
      {words.noProvider}
    </Notice>
  );
}

function ToProvider({ children }: { children: string }) {
  const goTo = useGoTo();
  return <Button onPress={() => goTo('provider')}>{children}</Button>;
}

/** Shows how faxes arrive: by notification where the provider can reach Faxdesk, otherwise by polling. */
function Arrival({ provider, settings }: { provider: Provider; settings: Settings }) {
  const connection = useConnection(provider.backend, {});
  const valueOf = (wanted: string) => settings.settings.find((it) => it.name === wanted)?.value;
  const polling = valueOf('INBOUND_POLLING');
  const address = settings.settings.find(({ name }) => name === 'PUBLIC_API_URL');
  return (
    <>
      {provider.backend === LINE_BACKEND ? (
        <p className={styles['says']}>{words.byLine}</p>
      ) : address?.is_set && address.warning === null ? (
        <NotifiedFaxes provider={provider} isAskedToo={polling === 'on'} />
      ) : (
        <PolledFaxes name={provider.name} isOff={polling === 'off'} />
      )}
      <ConnectionCheck connection={connection} />
    </>
  );
}

function NotifiedFaxes({ provider, isAskedToo }: { provider: Provider; isAskedToo: boolean }) {
  const { backend, name, notificationProblem: problem } = provider;
  return (
    <>
      <CallbackAddresses backend={backend} provider={name} purpose="received faxes" />
      {problem ? (
        <Notice tone="danger" action={<ToProvider>{problem.action}</ToProvider>} title={problem.title}>
          {problem.sentence} {words.askedMeanwhile(name)}
        </Notice>
      ) : (
        <p className={styles['says']}>{isAskedToo ? words.notifiedAndChecked(name) : words.notified(name)}</p>
      )}
    </>
  );
}

function PolledFaxes({ name, isOff }: { name: string; isOff: boolean }) {
  return (
    <Notice
      tone={isOff ? 'warn' : 'plain'}
      title={isOff ? words.neither : words.asked(name)}
      action={<ToProvider>{words.toAddress}</ToProvider>}
    >
      {isOff ? words.neitherSentence(name) : words.askedSentence}
    </Notice>
  );
}
