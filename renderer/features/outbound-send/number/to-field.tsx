import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { countryName, formatFully, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { type Recipient, useSettled } from './recipient.ts';
import { findRecipients, type Suggestion } from './recipient-sources.ts';
import styles from './to-field.module.css';

const ASK_MS = 120;

export interface ToFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly recipient: Recipient;
  /** A number of this country, as an example. */
  readonly example: string;
  /** What the gateway said of the number when it was sent. */
  readonly refusal: string | null;
  readonly inputRef: Ref<HTMLInputElement>;
}

/** Whom the fax goes to: typed, or chosen from what was used before. */
export function ToField(props: ToFieldProps) {
  const { value, onChange, recipient, example, inputRef } = props;
  const [isFocused, setFocused] = useState(false);
  const suggestions = useSuggestions(value);
  const error = errorOf(props, isFocused);
  return (
    <ComboBox
      className={styles['field']}
      allowsCustomValue
      inputValue={value}
      onInputChange={onChange}
      onFocusChange={setFocused}
      items={suggestions}
      defaultFilter={() => true}
      isInvalid={error !== null}
    >
      <Label className={styles['label']}>{t.send.to}</Label>
      <Group className={styles['box'] ?? ''} data-button>
        <Icon name="phone" />
        <Input
          ref={inputRef}
          dir="ltr"
          className={styles['input']}
          placeholder={example ? t.send.toPlaceholder(example) : ''}
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
        />
        {value !== '' && (
          <IconButton
            slot={null}
            isSmall
            // Readers and the keyboard empty the field themselves.
            excludeFromTabOrder
            icon="close"
            label={t.send.clearTo}
            onPress={() => onChange('')}
          />
        )}
      </Group>
      {error === null ? (
        <Facts recipient={recipient} />
      ) : (
        <Text slot="errorMessage" className={styles['error']}>
          <Icon name="alert" size={14} />
          {error}
        </Text>
      )}
      <Popover className={styles['popover']}>
        <ListBox className={styles['list']} aria-label={t.send.suggestions}>
          {(suggestion: Suggestion) => <SuggestionRow suggestion={suggestion} />}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function useSuggestions(typed: string): readonly Suggestion[] {
  const settled = useSettled(typed.trim(), ASK_MS);
  const found = useQuery({
    queryKey: ['recipients', settled],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findRecipients(settled, signal),
  });
  return found.data ?? [];
}

/** What is wrong with the number. That it is short is no mistake while somebody is typing it. */
function errorOf({ recipient: { read, check }, refusal }: ToFieldProps, isFocused: boolean): string | null {
  switch (read.kind) {
    case 'empty':
      return null;
    case 'beginning':
      return isFocused ? null : t.send.tooShort;
    case 'wrong':
      return { 'not digits': t.send.notDigits, 'too long': t.send.tooLong, 'no country': t.send.noCountry }[
        read.why
      ];
    case 'number':
      return refusal ?? check?.problem ?? null;
  }
}

/** The whole number, its country, and how it went the last time. */
function Facts({ recipient: { read, check } }: { recipient: Recipient }) {
  if (read.kind !== 'number') return null;
  const { display, country } = read;
  return (
    <Text slot="description" className={styles['facts']}>
      <span className={styles['number']}>
        {country ? t.send.numberIn(display, countryName(country)) : display}
      </span>
      {check && (
        <span>{check.first_time ? t.send.neverSent : <LastSuccess at={check.last_success_at} />}</span>
      )}
    </Text>
  );
}

function LastSuccess({ at }: { at: string | null }) {
  if (at === null) return <>{t.send.notReachedYet}</>;
  return (
    <span title={formatFully(at)}>
      <StateWord tone="ok" icon="ok">
        {t.send.reached(formatWhen(at))}
      </StateWord>
    </span>
  );
}

function SuggestionRow({ suggestion }: { suggestion: Suggestion }) {
  const phone = usePhoneFormat();
  const number = phone(suggestion.to);
  const { name, lastSuccessAt, lastUsedAt } = suggestion;
  return (
    <ListBoxItem id={suggestion.id} textValue={number} className={styles['option']}>
      <Icon name={name === null ? 'clock' : 'contacts'} />
      <span className={styles['words']}>
        <span className={styles['cut']}>{name ?? number}</span>
        <span className={styles['second']}>
          {name === null ? lastUsedAt && t.send.lastUsed(formatWhen(lastUsedAt)) : number}
        </span>
      </span>
      {lastSuccessAt === null ? (
        <StateWord tone="plain" icon="info">
          {t.send.neverReached}
        </StateWord>
      ) : (
        <StateWord tone="ok" icon="ok">
          {t.send.reached(formatWhen(lastSuccessAt))}
        </StateWord>
      )}
    </ListBoxItem>
  );
}
