import { ListBoxItem } from 'react-aria-components/ListBox';
import { t } from '../../../texts/index.ts';
import { formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import type { Suggestion } from './recipient-sources.ts';
import styles from './to-field.module.css';

/** Somebody a fax can go to, under the field. */
export function SuggestionRow({ suggestion }: { suggestion: Suggestion }) {
  const phone = usePhoneFormat();
  const number = phone(suggestion.to);
  const { name, organization, lastUsedAt } = suggestion;
  return (
    <ListBoxItem id={suggestion.id} textValue={number} className={styles['option']}>
      <Icon name={name === null ? 'clock' : 'contacts'} />
      <span className={styles['words']}>
        <span className={styles['cut']}>{name ?? number}</span>
        <span className={styles['second']}>
          {name === null
            ? lastUsedAt && t.recipient.lastUsed(formatWhen(lastUsedAt))
            : [number, organization].filter((it) => it !== null).join(' · ')}
        </span>
      </span>
      <LastOutcome {...suggestion} />
    </ListBoxItem>
  );
}

/** Shows whether the number is blocked, and the results of recent faxes. */
function LastOutcome({ isBlocked, recentFailures, lastSuccessAt, isFromDirectory }: Suggestion) {
  if (isFromDirectory)
    return (
      <StateWord tone="plain" icon="info">
        {t.recipient.inDirectory}
      </StateWord>
    );
  if (isBlocked)
    return (
      <StateWord tone="danger" icon="alert">
        {t.recipient.isBlocked}
      </StateWord>
    );
  if (recentFailures > 0)
    return (
      <StateWord tone="warn" icon="warn">
        {t.recipient.failedLately(recentFailures)}
      </StateWord>
    );
  if (lastSuccessAt === null)
    return (
      <StateWord tone="plain" icon="info">
        {t.send.notReachedYet}
      </StateWord>
    );
  return (
    <StateWord tone="ok" icon="ok">
      {t.send.reached(formatWhen(lastSuccessAt))}
    </StateWord>
  );
}
