import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { PersonMark } from './person.tsx';
import styles from './person-field.module.css';
import { matching, type Pickable } from './person-match.ts';

interface PersonFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Said where nobody fits. */
  readonly none: string;
  /** Undefined while they are on their way. */
  readonly people: readonly Pickable[] | undefined;
  readonly meId: string;
  /** Stands in the field at first. */
  readonly typed: string;
  readonly onPick: (person: Pickable) => void;
  readonly onCancel: () => void;
}

/**
 * One person out of several, by initials or a part of the name: Enter takes the first that fits, arrows another one, Escape
 * leaves it. Enter that comes before the people are here takes effect when they are.
 */
export function PersonField(props: PersonFieldProps) {
  const { label, hint, none, people } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { typed, type, found, marked, onKeyDown } = usePicking(props);
  useEffect(() => input.current?.focus(), []);
  return (
    <div className={styles['field']}>
      <label htmlFor={`${id}input`} className={styles['label']}>
        {label}
      </label>
      <div className={styles['box']}>
        <Icon name="person" size={16} />
        <input
          ref={input}
          id={`${id}input`}
          className={styles['input']}
          role="combobox"
          aria-expanded
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={marked === null || !found[marked] ? undefined : `${id}${marked}`}
          autoComplete="off"
          spellCheck={false}
          placeholder={hint}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <People {...props} id={id} found={found} marked={marked} />
      {people !== undefined && found.length === 0 && (
        <p role="status" className={styles['none']}>
          {none}
        </p>
      )}
    </div>
  );
}

function People(
  props: Pick<PersonFieldProps, 'label' | 'meId' | 'onPick'> & {
    id: string;
    found: readonly Pickable[];
    marked: number | null;
  },
) {
  const { id, label, meId, found, marked, onPick } = props;
  return (
    <div id={`${id}list`} role="listbox" aria-label={label} className={styles['list']}>
      {found.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        <div
          key={person.id}
          id={`${id}${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          className={styles['option']}
          onClick={() => onPick(person)}
        >
          <PersonMark name={person.name} isMe={person.id === meId} />
          <span>{person.name}</span>
        </div>
      ))}
    </div>
  );
}

/** Returns the input, the people who match, and the one that Enter picks: none before any input or arrow key. */
function usePicking({ people, typed: before, onPick, onCancel }: PersonFieldProps) {
  const [typed, setTyped] = useState(before);
  const [active, setActive] = useState<number | null>(null);
  const [isWanted, setWanted] = useState(false);
  const found = people === undefined ? [] : matching(people, typed);
  const marked = active ?? (typed.trim() === '' ? null : 0);
  const pick = () => {
    const person = marked === null ? undefined : found[marked];
    setWanted(people === undefined && typed.trim() !== '');
    if (person) onPick(person);
  };
  const latest = useRef(pick);
  latest.current = pick;
  useEffect(() => {
    if (isWanted && people !== undefined) latest.current();
  }, [isWanted, people]);
  const type = (text: string) => {
    setTyped(text);
    setActive(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      const from = marked ?? (step > 0 ? -1 : 0);
      setActive((from + step + found.length) % found.length);
    } else if (event.key === 'Enter') pick();
    else if (event.key === 'Escape') onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { typed, type, found, marked, onKeyDown };
}
