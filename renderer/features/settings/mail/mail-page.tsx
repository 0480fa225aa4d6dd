import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { connectorsQuery } from '../../../api/intake.ts';
import { usePermission } from '../../../api/queries.ts';
import type { Setting } from '../../../api/settings.ts';
import type { SettingDrafts } from '../../../parts/settings/setting-drafts.ts';
import { t } from '../../../texts/mail-connectors.ts';
import type { Option } from '../../../ui/choice.tsx';
import { SettingRow } from '../setting-row.tsx';
import styles from '../settings.module.css';
import { ConnectorsPart } from './connectors-part.tsx';

const words = t.mailConnectors;

/** The settings of the summary stand apart from those of received faxes. */
const SUMMARY_SETTINGS = /^SUMMARY_/u;
const SUMMARY_CONNECTOR = 'SUMMARY_CONNECTOR';

interface MailParts {
  /** Of the group. */
  readonly settings: readonly Setting[];
  readonly drafts: SettingDrafts;
  readonly isReadOnly: boolean;
}

/** Page of outgoing e-mail: the connectors, how they send received faxes, and the daily summary. */
export function MailPage({ settings, ...rest }: MailParts) {
  const own = settings.filter(({ name }) => !SUMMARY_SETTINGS.test(name));
  const summary = settings.filter(({ name }) => SUMMARY_SETTINGS.test(name));
  return (
    <div className={styles['fields']}>
      <ConnectorsPart />
      {own.map((setting) => (
        <SettingRow key={setting.name} setting={setting} {...rest} />
      ))}
      {summary.length > 0 && <SummaryPart settings={summary} {...rest} />}
    </div>
  );
}

function SummaryPart({ settings, ...rest }: MailParts) {
  const heading = useId();
  const connectors = useConnectorNames(settings);
  return (
    <section className={styles['section']} aria-labelledby={heading}>
      <h3 className={styles['title']} id={heading}>
        {words.summary}
      </h3>
      <p className={styles['sentence']}>{words.summarySentence}</p>
      {settings.map((setting) => (
        <SettingRow
          key={setting.name}
          setting={setting}
          options={setting.name === SUMMARY_CONNECTOR ? connectors : undefined}
          {...rest}
        />
      ))}
    </section>
  );
}

/** The connectors to choose from, and what is saved although there is none of that name; undefined for who may not see them. */
function useConnectorNames(settings: readonly Setting[]): Option<string>[] | undefined {
  const found = useQuery({ ...connectorsQuery, enabled: usePermission('mailboxes:read') }).data;
  if (found === undefined) return undefined;
  const saved = settings.find(({ name }) => name === SUMMARY_CONNECTOR)?.value;
  const names = new Set(found.map(({ name }) => name));
  if (typeof saved === 'string' && saved !== '') names.add(saved);
  return [{ id: '', label: t.settings.noChoice }, ...[...names].map((name) => ({ id: name, label: name }))];
}
