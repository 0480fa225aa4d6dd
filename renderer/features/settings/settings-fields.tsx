import { LINE_BACKEND } from '../../../shared/backends.ts';
import { useInstallation } from '../../api/queries.ts';
import type { Provider, Setting } from '../../api/settings.ts';
import { CallbackAddresses } from '../../parts/settings/callback-addresses.tsx';
import { ConnectionCheck, useConnection } from '../../parts/settings/connection-check.tsx';
import type { SettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { checkObstacle } from '../../parts/settings/setting-words.ts';
import { t } from '../../texts/administration.ts';
import { Notice } from '../../ui/notice.tsx';
import { FaxPrinter } from './fax-printer.tsx';
import { LinePage } from './line/line-page.tsx';
import { MailPage } from './mail/mail-page.tsx';
import { NetworkScanners } from './network-scanners.tsx';
import { SettingRow } from './setting-row.tsx';
import styles from './settings.module.css';
import type { SettingsPage } from './settings-pages.ts';

/** The settings of one group, made from their definitions alone. */
export function SettingsFields(props: {
  page: SettingsPage;
  /** Those of every page. */
  settings: readonly Setting[];
  providers: readonly Provider[];
  drafts: SettingDrafts;
  isReadOnly: boolean;
}) {
  const { page, providers, drafts, isReadOnly } = props;
  const choices = [
    { id: '', label: t.settings.noChoice },
    ...providers.map(({ backend, name }) => ({ id: backend, label: name })),
  ];
  if (page.provider?.backend === LINE_BACKEND)
    return (
      <LinePage
        provider={page.provider}
        settings={props.settings}
        drafts={drafts}
        isReadOnly={isReadOnly}
        backends={choices}
      />
    );
  if (page.group === 'E-mail')
    return <MailPage settings={page.settings} drafts={drafts} isReadOnly={isReadOnly} />;
  return (
    <div className={styles['fields']}>
      {page.settings.map((setting) => (
        <SettingRow
          key={setting.name}
          setting={setting}
          drafts={drafts}
          isReadOnly={isReadOnly}
          options={setting.name === 'FAX_BACKEND' ? choices : undefined}
        />
      ))}
      {page.settings.some(({ name }) => name === 'PRINT_TO_FAX') && <FaxPrinter />}
      {!isReadOnly && <NetworkScanners settings={page.settings} drafts={drafts} />}
      {page.group === 'Receiving' && <Unverifiable providers={providers} />}
      {page.provider && (
        <ProviderPart
          key={page.provider.backend}
          provider={page.provider}
          drafts={drafts}
          isReadOnly={isReadOnly}
        />
      )}
    </div>
  );
}

/** The providers whose notifications are refused as they are set up, each with the way to its settings. */
function Unverifiable({ providers }: { providers: readonly Provider[] }) {
  const isOn = useInstallation()?.receiving.enabled === true;
  const wrong = providers.filter(({ notificationProblem }) => notificationProblem !== null);
  return (
    isOn &&
    wrong.map(({ backend, name, notificationProblem: problem }) => (
      <Notice key={backend} tone="danger" title={`${name}: ${problem?.title ?? ''}`}>
        {problem?.sentence}
      </Notice>
    ))
  );
}

/** Shows the check of the account, and the addresses to enter at the provider. */
function ProviderPart(props: { provider: Provider; drafts: SettingDrafts; isReadOnly: boolean }) {
  const { provider, drafts, isReadOnly } = props;
  const own = provider.settings.filter((setting) => drafts.changed.some(({ name }) => name === setting.name));
  const trial = Object.fromEntries(own.map(({ name }) => [name, drafts.changes[name] ?? null]));
  const connection = useConnection(provider.backend, trial);
  const wrong = own.find((setting) => drafts.problem(setting) !== null);
  return (
    <section className={styles['part']} aria-label={t.settings.callbacks}>
      <ConnectionCheck connection={connection} notYet={checkObstacle(isReadOnly, wrong)} />
      <h3 className={styles['title']}>{t.settings.callbacks}</h3>
      <CallbackAddresses backend={provider.backend} provider={provider.name} />
    </section>
  );
}
