import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { directoryQuery, hasDirectoryQuery } from '../../../api/contacts.ts';
import { usePermission, usePermissions } from '../../../api/queries.ts';
import { useSettled } from '../../../parts/use-settled.ts';
import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { isFocusMoving } from '../../../ui/focus/keeper.ts';
import { countryName, formatFully, formatWhen } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import type { Recipient } from './recipient.ts';
import { findRecipients, MAX_RESULTS, type Suggestion, suggestionOf } from './recipient-sources.ts';
import { SuggestionRow } from './suggestion-row.tsx';
import styles from './to-field.module.css';

const QUERY_DELAY_MS = 120;
/** Shorter texts are not searched for in the office directory. */
const DIRECTORY_LETTERS = 2;

interface ToFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly recipient: Recipient;
  /** A number of this country, as an example. */
  readonly example: string;
  /** The gateway's sentence about the number when it refused the fax. */
  readonly refusal: string | null;
  readonly inputRef: Ref<HTMLInputElement>;
}

/** Field for the recipient: typed, or chosen from those used before. */
export function ToField(props: ToFieldProps) {
  const { value, onChange, recipient, example, inputRef } = props;
  const [isFocused, setFocused] = useState(false);
  const { suggestions, isCurrent } = useSuggestions(value);
  const isName = /\p{L}/u.test(value);
  const error = errorOf(props, { isFocused, isFound: suggestions.length > 0 });
  return (
    <ComboBox
      className={styles['field']}
      allowsCustomValue
      inputValue={value}
      onInputChange={onChange}
      onFocusChange={setFocused}
      items={suggestions}
      defaultFilter={() => true}
      // The sentence about it follows below.
      isInvalid={error !== null || isNumberRefused(recipient)}
    >
      <Label className={styles['label']}>{t.send.to}</Label>
      <Group className={styles['box'] ?? ''} data-button>
        <Icon name="phone" />
        {value === '' && <RecentNumbers />}
        <FoundNames isFound={suggestions.length > 0} isName={isName} />
        <OnlyName only={isName ? onlyNamed(suggestions) : null} isCurrent={isCurrent} value={value} />
        <Input
          ref={inputRef}
          dir="ltr"
          className={styles['input']}
          placeholder={example ? t.send.toPlaceholder(example) : ''}
          maxLength={100}
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
        <ListBox className={styles['list']} aria-label={t.recipient.suggestions}>
          {(suggestion: Suggestion) => <SuggestionRow suggestion={suggestion} />}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** Opens them for who comes to the empty field or presses it; a screen that leads the keyboard there covers nothing. */
function RecentNumbers() {
  const state = use(ComboBoxStateContext);
  const mark = useRef<HTMLSpanElement>(null);
  const open = useEffectEvent(() => state?.open(null, 'manual'));
  useEffect(() => {
    const input = mark.current?.parentElement?.querySelector('input');
    // The state is notified of the focus after the field itself.
    const later = () => void (isFocusMoving() || requestAnimationFrame(open));
    input?.addEventListener('focus', later);
    input?.addEventListener('click', open);
    return () => {
      input?.removeEventListener('focus', later);
      input?.removeEventListener('click', open);
    };
  }, []);
  return <span ref={mark} hidden />;
}

/** Opens the list when it was empty as the name was typed, and what fits has come since. */
function FoundNames({ isFound, isName }: { isFound: boolean; isName: boolean }) {
  const state = use(ComboBoxStateContext);
  const open = useEffectEvent(() => {
    if (isName && state?.isFocused && !state.isOpen) state.open(null, 'input');
  });
  useEffect(() => {
    if (!isFound) return undefined;
    // A list that was closed for being empty is opened by the field itself, which must come first: it would do so again after a choice.
    const frame = requestAnimationFrame(open);
    return () => cancelAnimationFrame(frame);
  }, [isFound]);
  return null;
}

/** Returns the contact where a name fits one alone, or the only entry of the office directory; null else. */
function onlyNamed(suggestions: readonly Suggestion[]): Suggestion | null {
  const contacts = suggestions.filter(({ id }) => id.startsWith('contact '));
  const named = contacts.length > 0 ? contacts : suggestions.filter(({ isFromDirectory }) => isFromDirectory);
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** Takes the only contact of a typed name on Enter; where the contacts are still being searched, once they are found. */
function OnlyName({
  only,
  isCurrent,
  value,
}: {
  only: Suggestion | null;
  /** The suggestions are those of the typed text. */
  isCurrent: boolean;
  value: string;
}) {
  const state = use(ComboBoxStateContext);
  const mark = useRef<HTMLSpanElement>(null);
  const [awaited, setAwaited] = useState<string | null>(null);
  const take = useEffectEvent(() => {
    // This closes the list as well.
    if (only !== null) state?.setSelectedKey(only.id);
  });
  const enter = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || (state?.selectionManager.focusedKey ?? null) !== null)
      return;
    if (!/\p{L}/u.test(value) || (isCurrent && only === null)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isCurrent) take();
    else setAwaited(value);
  });
  useEffect(() => {
    const input = mark.current?.parentElement?.querySelector('input');
    // Before the field, which would keep the name as it is.
    const listener = (event: KeyboardEvent) => enter(event);
    input?.addEventListener('keydown', listener, { capture: true });
    return () => input?.removeEventListener('keydown', listener, { capture: true });
  }, []);
  useEffect(() => {
    if (awaited === null) return;
    if (awaited === value && !isCurrent) return;
    setAwaited(null);
    if (awaited === value) take();
  }, [awaited, value, isCurrent]);
  return <span ref={mark} hidden />;
}

function useSuggestions(typed: string): {
  readonly suggestions: readonly Suggestion[];
  /** They are those of the typed text. */
  readonly isCurrent: boolean;
} {
  const settled = useSettled(typed.trim(), QUERY_DELAY_MS);
  const held = usePermissions();
  const found = useQuery({
    queryKey: ['recipients', settled, held.join()],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findRecipients(settled, held, signal),
  });
  const isFound = settled === typed.trim() && found.isSuccess && !found.isPlaceholderData;
  const known = found.data ?? [];
  const directory = useDirectory(settled);
  const numbers = new Set(known.map(({ to }) => to));
  return {
    suggestions: [...known, ...directory.items.filter(({ to }) => !numbers.has(to))],
    isCurrent: isFound && (known.length > 0 || !directory.isSearching),
  };
}

/** Entries of the office directory for the text. Without one, or while it cannot be searched, there are none. */
function useDirectory(typed: string): { items: readonly Suggestion[]; isSearching: boolean } {
  const maySearch = usePermission('contacts:read');
  const isSet = useQuery({ ...hasDirectoryQuery, enabled: maySearch }).data === true;
  const enabled = isSet && typed.length >= DIRECTORY_LETTERS;
  const found = useQuery({ ...directoryQuery(typed, MAX_RESULTS), enabled, select: suggestionsOf });
  return { items: found.data ?? [], isSearching: found.isFetching };
}

const suggestionsOf = (items: readonly Parameters<typeof suggestionOf>[0][]) => items.map(suggestionOf);

/** Returns true when the wrong-number guard refuses the number itself. */
const isNumberRefused = ({ open }: Recipient): boolean =>
  open?.action === 'refuse' && open.check !== 'same_document';

/** Returns the error of the number. A short number or a matching name is no error while the person types. */
function errorOf(
  { value, recipient: { read, check }, refusal }: ToFieldProps,
  { isFocused, isFound }: { isFocused: boolean; isFound: boolean },
): string | null {
  switch (read.kind) {
    case 'empty':
      return null;
    case 'beginning':
      return isFocused ? null : t.send.tooShort;
    case 'wrong':
      // A name that is found may have digits in it.
      if (isFocused && isFound && /\p{L}/u.test(value)) return null;
      if (/^\p{L}/u.test(value)) return t.recipient.noSuchName;
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
        {check?.contact && <strong className={styles['contact']}>{check.contact.name} · </strong>}
        {country ? t.send.numberIn(display, countryName(country)) : display}
      </span>
      {check && <span>{numberHistory(check)}</span>}
    </Text>
  );
}

function numberHistory({
  internal,
  first_time,
  last_success_at,
}: NonNullable<Recipient['check']>): ReactNode {
  if (internal) return t.send.ownNumber.short;
  return first_time ? t.send.neverSent : <LastSuccess at={last_success_at} />;
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
