import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { LINE_BACKEND } from '../../../shared/backends.ts';
import { type Provider, type Settings, settingsQuery } from '../../api/settings.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { CallbackAddresses } from '../../parts/settings/callback-addresses.tsx';
import { ConnectionCheck } from '../../parts/settings/connection-check.tsx';
import { SettingControl } from '../../parts/settings/setting-control.tsx';
import type { SettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { checkObstacle } from '../../parts/settings/setting-words.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { Fold } from '../../ui/fold.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { type ProviderForm, useProviderForm } from './provider-form.ts';
import styles from './setup.module.css';
import { StepPage } from './step-page.tsx';

const words = t.setup.provider;

/** Step that chooses the provider and enters its settings. */
export function ProviderStep() {
  const settings = useQuery(settingsQuery);
  if (settings.data) return <ProviderPage settings={settings.data} />;
  return <LoadProblem of={settings} />;
}

function ProviderPage({ settings }: { settings: Settings }) {
  const form = useProviderForm(settings);
  const { chosen } = form;
  const isLine = chosen?.backend === LINE_BACKEND;
  return (
    <StepPage
      step="provider"
      title={words.title}
      sentence={words.sentence}
      submit={isLine && !form.isSetUp ? words.toLine : t.setup.next}
      onSubmit={() => void form.submit()}
      isBusy={form.isBusy}
    >
      <RadioCards
        label={words.choose}
        value={chosen?.backend ?? null}
        onChange={form.choose}
        options={form.providers.map((provider) => ({
          id: provider.backend,
          label: provider.name,
          help: provider.help,
        }))}
      />
      {isLine ? <OwnPage /> : <Account form={form} settings={settings} />}
      <Outcome form={form} />
    </StepPage>
  );
}

/** A line needs more than an account: its page leads through it. */
function OwnPage() {
  return (
    <Notice
      tone="plain"
      title={words.line}
      action={
        <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'phone-line' }}>
          {words.openLine}
        </Link>
      }
    >
      {words.lineSentence}
    </Notice>
  );
}

/** Shows the settings of a provider, whether it responds, and what may be left out. */
function Account({ form, settings }: { form: ProviderForm; settings: Settings }) {
  const { chosen, drafts } = form;
  return (
    <>
      {chosen && <Credentials provider={chosen} drafts={drafts} />}
      <ConnectionCheck connection={form.connection} notYet={obstacleOf(form)} />
      {chosen && <InstantUpdates form={form} provider={chosen} settings={settings} />}
      {chosen && <OtherSettings provider={chosen} drafts={drafts} />}
    </>
  );
}

/** Returns a sentence on why the connection cannot be checked yet; null when it can, and while it is busy. */
function obstacleOf({ chosen, drafts }: ProviderForm): string | null {
  if (chosen === null) return words.chooseFirst;
  return checkObstacle(false, drafts.wrong ?? undefined);
}

/** Fields without which no account works. */
function Credentials({ provider, drafts }: { provider: Provider; drafts: SettingDrafts }) {
  const needed = provider.settings.filter(
    ({ name }) => provider.essentials.has(name) && !provider.optional.has(name),
  );
  return (
    <div className={styles['two']}>
      {needed.map((setting) => (
        <div key={setting.name} className={styles['field']}>
          <SettingControl setting={setting} drafts={drafts} help={setting.help} />
        </div>
      ))}
    </div>
  );
}

/** Folded, as the defaults fit nearly everybody. */
function OtherSettings({ provider, drafts }: { provider: Provider; drafts: SettingDrafts }) {
  const others = provider.settings.filter(({ name }) => !provider.essentials.has(name));
  if (others.length === 0) return null;
  return (
    <Fold level={2} title={words.more} summary={words.moreSummary}>
      <div className={styles['folded']}>
        {others.map((setting) => (
          <div key={setting.name} className={styles['line']}>
            {setting.type === 'boolean' && <span className={styles['label']}>{setting.label}</span>}
            <SettingControl setting={setting} drafts={drafts} />
            <span className={styles['help']}>{setting.help}</span>
          </div>
        ))}
      </div>
    </Fold>
  );
}

/** Optional: the values with which the provider reports at once, and the addresses to paste there. */
function InstantUpdates(props: { form: ProviderForm; provider: Provider; settings: Settings }) {
  const { form, provider, settings } = props;
  const heading = useId();
  const address = settings.settings.find(({ name }) => name === 'PUBLIC_API_URL');
  const isAddressShown = address && (address.value === null || address.warning !== null);
  const confirming = provider.settings.filter(({ name }) => provider.optional.has(name));
  return (
    <section className={styles['optional']} aria-labelledby={heading}>
      <h2 id={heading} className={styles['label']}>
        {words.instant} <span className={styles['mark']}>{words.optional}</span>
      </h2>
      {isAddressShown && (
        <SettingControl
          setting={address}
          drafts={form.drafts}
          help={words.publicAddressHelp(provider.name)}
        />
      )}
      {confirming.map((setting) => (
        <SettingControl
          key={setting.name}
          setting={setting}
          drafts={form.drafts}
          help={words.confirmsHelp(provider.name)}
        />
      ))}
      <CallbackAddresses backend={provider.backend} provider={provider.name} />
    </section>
  );
}

function Outcome({ form }: { form: ProviderForm }) {
  if (form.problem !== null)
    return (
      <Notice tone="danger" isLive>
        {form.problem}
      </Notice>
    );
  return form.isUnready ? <Unready onSave={form.saveAnyway} /> : null;
}

function Unready({ onSave }: { onSave: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  // It answers a press at the lower end of the page, so it must not stay below the fold.
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={element}>
      <Notice
        tone="warn"
        isLive
        title={words.unfinished}
        action={<Button onPress={onSave}>{words.goOnAnyway}</Button>}
      >
        {words.unfinishedSentence}
      </Notice>
    </div>
  );
}
