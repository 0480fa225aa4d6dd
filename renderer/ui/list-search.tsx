import { useEffect, useRef, useState } from 'react';
import { useActions } from './actions.tsx';
import { TextField } from './field.tsx';

/** After the last key, so that not every letter is searched for. */
const PAUSE_MS = 200;

/** Searches the list of a screen while the person types; `/` moves the focus here. */
export function ListSearch(props: {
  /** Under which the shortcut is listed. */
  screen: string;
  label: string;
  hint: string;
  value: string;
  maxLength?: number;
  onChange: (text: string) => void;
}) {
  const { screen, label, hint, value, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  // The address changed by another way: back, a link, or cleared.
  if (value !== asked) {
    setAsked(value);
    if (value !== text.trim()) setText(value);
  }
  const latest = useRef(() => {});
  latest.current = () => onChange(text.trim());
  const isAsked = text.trim() === value;
  useEffect(() => {
    if (isAsked) return;
    const timer = setTimeout(() => latest.current(), text === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isAsked]);
  useActions(screen, [
    { id: 'search-list', label, icon: 'search', keys: '/', run: () => input.current?.focus() },
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
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
      inputRef={input}
      value={text}
      onChange={setText}
      onKeyDown={(event) => (event.key === 'Escape' ? setText('') : event.continuePropagation())}
    />
  );
}
