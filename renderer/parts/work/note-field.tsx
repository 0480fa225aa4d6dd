import { useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/work.ts';
import { TextField } from '../../ui/field.tsx';
import { Keys } from '../../ui/keys.tsx';
import { keepNote, noteDraft } from './drafts.ts';

/**
 * Field for a note on what was done, in one line; Enter submits it. The input is kept under its key, also while
 * something else is shown.
 */
export function NoteField(props: {
  draftKey: string;
  /** Of the item as it is shown; null for several. */
  version: number | null;
  /** Counts the wishes to write here. */
  asked: number;
  onSend: (note: string, version: number | null) => void;
  onCancel: () => void;
}) {
  const { draftKey, version, asked, onSend, onCancel } = props;
  const [text, setText] = useState(() => noteDraft(draftKey).text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asked > 0) input.current?.focus();
  }, [asked]);
  const change = (next: string) => {
    setText(next);
    keepNote(draftKey, { text: next, version: noteDraft(draftKey).version ?? version });
  };
  return (
    <TextField
      label={t.work.note}
      placeholder={t.work.noteHint}
      maxLength={LIMITS.noteLength}
      autoComplete="off"
      isSmall
      inputRef={input}
      value={text}
      onChange={change}
      after={text.trim() !== '' && <Keys of="enter" />}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        else if (event.key !== 'Enter') event.continuePropagation();
        else if (text.trim() !== '') onSend(text.trim(), noteDraft(draftKey).version ?? version);
      }}
    />
  );
}
