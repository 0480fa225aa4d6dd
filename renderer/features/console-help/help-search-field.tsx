import { useRef } from 'react';
import { t } from '../../texts/help.ts';
import { useActions } from '../../ui/actions.tsx';
import { TextField } from '../../ui/field.tsx';
import { BEGIN_AT_FIELD } from '../../ui/focus/places.ts';
import styles from './help.module.css';
import { MOST_LETTERS } from './help-search.ts';

const words = t.help;

/** The first place of the keyboard. Escape clears what was typed, and then closes the help. */
export function HelpSearch(props: { query: string; onChange: (query: string) => void; onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const enter = () => {
    input.current?.focus();
    input.current?.select();
  };
  useActions(words.title, [
    {
      id: 'search-list',
      label: words.searchLabel,
      icon: 'search',
      keys: '/',
      alsoKeys: ['mod+f', 'f3'],
      run: enter,
    },
  ]);
  return (
    <div className={styles['search']} {...BEGIN_AT_FIELD}>
      <TextField
        label={words.searchLabel}
        isLabelHidden
        isSmall
        placeholder={words.searchHint}
        icon="search"
        type="search"
        autoComplete="off"
        maxLength={MOST_LETTERS}
        inputRef={input}
        value={props.query}
        onChange={props.onChange}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') event.continuePropagation();
          else if (props.query === '') props.onClose();
          else props.onChange('');
        }}
      />
    </div>
  );
}
