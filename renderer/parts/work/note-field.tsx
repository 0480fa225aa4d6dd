import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { type WorkItem, workNotesQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Keys } from '../../ui/keys.tsx';
import { hasSingleKeys } from '../../ui/single-keys.ts';
import { keepNote, noteDraft, noteKey } from './drafts.ts';
import type { Triage } from './use-triage.ts';
import styles from './work.module.css';

/** Digit of the last note again. */
const AGAIN = '0';

interface NoteFieldProps {
  readonly kind: 'done' | 'note';
  readonly items: readonly WorkItem[];
  readonly triage: Triage;
}

/**
 * Field for a note of one line, with which items are marked as done (`done`), or which leaves them open (`note`); Enter
 * submits it. The input is kept by item, also while something else is shown. While nothing is typed, a digit submits one of
 * the sentences that are offered.
 */
export function NoteField({ kind, items, triage }: NoteFieldProps) {
  const [only, ...others] = items;
  const single = only && others.length === 0 ? only : null;
  const key = noteKey(kind, single?.id ?? null);
  return <Field key={key} draftKey={key} version={single?.version ?? null} {...{ kind, triage }} />;
}

function Field(props: {
  kind: 'done' | 'note';
  triage: Triage;
  draftKey: string;
  /** Of the item as it is shown; null for several. */
  version: number | null;
}) {
  const { kind, triage, draftKey, version } = props;
  const [text, setText] = useState(() => noteDraft(draftKey).text);
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const asked = triage.form === kind ? triage.asked : 0;
  useEffect(() => {
    if (asked > 0) input.current?.focus();
  }, [asked]);
  const change = (next: string) => {
    setText(next);
    keepNote(draftKey, { text: next, version: noteDraft(draftKey).version ?? version });
  };
  const send = (note: string) => triage[kind](note, noteDraft(draftKey).version ?? version);
  const leave = () => {
    setOpen(false);
    triage.leave();
  };
  const chips = useChips(kind === 'done', triage.lastNote);
  const words = kind === 'done' ? t.work.doneNote : t.work.openNote;
  return (
    <div className={styles['form']} data-open={isOpen || undefined}>
      {isOpen && chips.length > 0 && <Chips chips={chips} onChoose={send} />}
      <TextField
        label={words.label}
        placeholder={words.hint}
        maxLength={LIMITS.noteLength}
        autoComplete="off"
        isSmall
        inputRef={input}
        value={text}
        onChange={change}
        onFocus={() => setOpen(true)}
        after={text.trim() !== '' && <Keys of="enter" />}
        onKeyDown={(event) => {
          const chip = text === '' && hasSingleKeys() && chips.find(({ digit }) => digit === event.key);
          if (event.key === 'Escape') leave();
          else if (chip) {
            event.preventDefault();
            if (!event.repeat) send(chip.text);
          } else if (event.key !== 'Enter') event.continuePropagation();
          else if (text.trim() !== '') send(text.trim());
        }}
      />
    </div>
  );
}

interface Chip {
  readonly digit: string;
  readonly text: string;
}

/** Returns the sentences that are offered, each with its digit; the person's last note has the zero. */
function useChips(isOffered: boolean, lastNote: string | null): readonly Chip[] {
  const sentences = useQuery({ ...workNotesQuery, enabled: isOffered }).data?.sentences ?? [];
  if (!isOffered) return [];
  const chips = sentences.map((text, index) => ({ digit: String(index + 1), text }));
  return lastNote === null ? chips : [...chips, { digit: AGAIN, text: lastNote }];
}

function Chips({ chips, onChoose }: { chips: readonly Chip[]; onChoose: (text: string) => void }) {
  return (
    <div className={styles['chips']} role="group" aria-label={t.work.chips}>
      {chips.map(({ digit, text }) => (
        <Button key={digit} keys={digit} onPress={() => onChoose(text)}>
          <span className={styles['chip']}>{digit === AGAIN ? t.work.lastNote(text) : text}</span>
        </Button>
      ))}
    </div>
  );
}
