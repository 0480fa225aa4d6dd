import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useInstallation } from '../../../api/queries.ts';
import { randomId } from '../../../api/random-id.ts';
import type { Provider, Setting } from '../../../api/settings.ts';
import { HeaderLine } from '../../../parts/header-line/header-line.tsx';
import { ConnectionCheck, useConnection } from '../../../parts/settings/connection-check.tsx';
import type { SettingDrafts } from '../../../parts/settings/setting-drafts.ts';
import { checkObstacle } from '../../../parts/settings/setting-words.ts';
import { t } from '../../../texts/administration.ts';
import { Button } from '../../../ui/button.tsx';
import type { Option } from '../../../ui/choice.tsx';
import { usePhoneReader } from '../../../ui/phone-reader.ts';
import { CallLog } from '../calls/call-log.tsx';
import { SettingRow } from '../setting-row.tsx';
import styles from '../settings.module.css';
import { LineCheck } from './line-check.tsx';
import { LineConfiguration } from './line-configuration.tsx';
import { lineSections, type SectionId } from './line-sections.ts';
import { LineTest } from './line-test.tsx';
import { draftsWithPresets, PresetNotice, presetOptions, usePresets } from './trunk-presets.tsx';

const words = t.settings.line;

interface LineParts {
  readonly provider: Provider;
  /** Those of the whole installation. */
  readonly settings: readonly Setting[];
  readonly drafts: SettingDrafts;
  readonly isReadOnly: boolean;
  /** Options of the setting for the provider that sends. */
  readonly backends: Option<string>[];
}

/** Everything that faxing over a line of one's own needs, in the order in which it is set up. */
export function LinePage(props: LineParts) {
  const { provider, settings, isReadOnly } = props;
  const presets = usePresets(provider.settings);
  const drafts = draftsWithPresets(props.drafts, provider.settings, presets);
  const optionsOf = (setting: Setting) =>
    setting.name === 'FAX_BACKEND' ? props.backends : presetOptions(setting, presets);
  return (
    <div className={styles['fields']}>
      <p className={styles['sentence']}>{words.intro}</p>
      {lineSections(provider.settings, settings).map((section) => (
        <section key={section.id} className={styles['section']} aria-labelledby={`line-${section.id}`}>
          <h3 className={styles['title']} id={`line-${section.id}`}>
            {words.sections[section.id].title}
          </h3>
          <p className={styles['sentence']}>{words.sections[section.id].sentence}</p>
          {section.settings.map((setting) => (
            <Fragment key={setting.name}>
              <SettingRow
                setting={setting}
                drafts={drafts}
                isReadOnly={isReadOnly}
                options={optionsOf(setting)}
              />
              <PresetNotice field={setting} drafts={drafts} settings={provider.settings} presets={presets} />
            </Fragment>
          ))}
          <AfterSection {...props} id={section.id} />
        </section>
      ))}
      <LineConfiguration
        engineHost={String(settings.find(({ name }) => name === 'TELEPHONY_HOST')?.value ?? '')}
        hasChanges={drafts.changed.length > 0}
      />
      <LineCheck />
      <LineTest settings={settings} hasChanges={drafts.changed.length > 0} />
      <CallLog />
    </div>
  );
}

/** Shows the part of a section that follows its fields. */
function AfterSection(props: LineParts & { id: SectionId }) {
  switch (props.id) {
    case 'numbers':
      return <ReachableAddress {...props} />;
    case 'network':
      return (
        <>
          <p className={styles['sentence']}>{words.firewall}</p>
          <p className={styles['sentence']}>{words.router}</p>
        </>
      );
    case 'engine':
      return <EngineHelp {...props} />;
    default:
      return null;
  }
}

/** The header line as it will be, and where other numbers of the trunk belong. */
function ReachableAddress({ settings, drafts }: LineParts) {
  const reader = usePhoneReader();
  const timeZone = useInstallation()?.time_zone ?? '';
  const typed = (wanted: string) => {
    const setting = settings.find(({ name }) => name === wanted);
    return setting ? String(drafts.typed(setting) ?? '').trim() : '';
  };
  return (
    <>
      <HeaderLine
        organization={typed('FAX_ORGANIZATION')}
        number={reader?.toE164(typed('FAX_NUMBER'), '') ?? null}
        timeZone={timeZone}
      />
      <p className={styles['sentence']}>
        {words.otherNumbers}{' '}
        <Link to="/access/{-$part}/{-$id}" params={{ part: 'mailboxes' }}>
          {words.mailboxes}
        </Link>
        .
      </p>
    </>
  );
}

/** Checks the sign-in at the engine with the input, and generates a password for it. */
function EngineHelp({ provider, drafts, isReadOnly }: LineParts) {
  const own = provider.settings.filter((setting) => drafts.changed.some(({ name }) => name === setting.name));
  const trial = Object.fromEntries(own.map(({ name }) => [name, drafts.changes[name] ?? null]));
  const connection = useConnection(provider.backend, trial);
  const wrong = own.find((setting) => drafts.problem(setting) !== null);
  const password = provider.settings.find(({ name }) => name === 'TELEPHONY_PASSWORD');
  const isOpen = password && password.source !== 'environment' && !password.is_set && !isReadOnly;
  return (
    <>
      {isOpen && (
        <Button icon="lock" onPress={() => drafts.type(password, randomId())}>
          {words.makeUp}
        </Button>
      )}
      <ConnectionCheck connection={connection} notYet={checkObstacle(isReadOnly, wrong)} />
    </>
  );
}
