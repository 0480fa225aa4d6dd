import { useEffect, useRef, useState } from 'react';
import { runAction, useActions } from './actions.tsx';
import { TextField } from './field.tsx';

/** Delay after the last key, so that a word is one search. */
const PAUSE_MS = 200;
/** Keys with which a browser finds text on the page. It would search only the rows in view. */
const FIND_KEYS = ['mod+f', 'f3'];

/** Searches the list of a screen while the person types; `/` and the keys of the browser's own search move the focus here. */
export function ListSearch(props: {
  /** Heading of the shortcut in the list of shortcuts. */
  screen: string;
  label: string;
  hint: string;
  value: string;
  maxLength?: number;
  /** Sentence shown when the focus came by a key of the browser's own search. */
  findNote?: string;
  /** Called with the trimmed text; `value` follows, now or later. */
  onChange: (text: string) => void;
}) {
  const { screen, label, hint, value, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const { text, setText, search } = useTypedText(value, onChange);
  const isSearched = text.trim() === value;
  useEffect(() => {
    if (isSearched) return;
    const timer = setTimeout(() => search.current(), text === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isSearched, search]);
  const [isFinding, setFinding] = useState(false);
  const enter = (shortcut?: string) => {
    // Beside an open fax the list may have no room.
    if (input.current?.checkVisibility() !== true) return runAction('palette');
    setFinding(shortcut !== undefined && FIND_KEYS.includes(shortcut));
    input.current.focus();
    input.current.select();
  };
  useActions(screen, [
    { id: 'search-list', label, icon: 'search', keys: '/', alsoKeys: FIND_KEYS, run: enter },
  ]);
  return (
    <TextField
      label={label}
      isLabelHidden
      isSmall
      placeholder={hint}
      icon="search"
      type="search"
      autoComplete="off"
      help={isFinding && props.findNote}
      onBlur={() => setFinding(false)}
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
      inputRef={input}
      value={text}
      onChange={setText}
      onKeyDown={(event) => (event.key === 'Escape' ? setText('') : event.continuePropagation())}
    />
  );
}

/**
 * Holds the typed text beside `value`, which follows a search only after a while: the value of an own search leaves the
 * text as it is by then. Any other value replaces it, as after Back, a link or *Clear filters*.
 */
function useTypedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [pending, setPending] = useState<readonly string[]>([]);
  if (value !== lastValue) {
    setLastValue(value);
    const position = pending.indexOf(value);
    setPending(pending.slice(position === -1 ? pending.length : position + 1));
    if (position === -1 && value !== text.trim()) setText(value);
  }
  const search = useRef(() => {});
  search.current = () => {
    setPending((before) => [...before, text.trim()]);
    onChange(text.trim());
  };
  return { text, setText, search };
}
