import { useState } from 'react';
import type { SavedDraft } from '../../../api/desk.ts';
import { NAME_LENGTH } from '../../../parts/draft-files.ts';
import { t } from '../../../texts/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import styles from './drafts-dialog.module.css';

interface SavedRowProps {
  readonly saved: SavedDraft;
  readonly onOpen: () => void;
  readonly onRename: (name: string) => void;
  readonly onDelete: () => void;
}

/** A draft that was saved: to go on with, to call something else, or to delete after a second question. */
export function SavedRow({ saved, onOpen, onRename, onDelete }: SavedRowProps) {
  const [doing, setDoing] = useState<'nothing' | 'rename' | 'delete'>('nothing');
  const words = t.send.drafts;
  const { name, saved_at: savedAt, documents, template } = saved;
  if (doing === 'rename')
    return (
      <li className={styles['row']}>
        <NewName
          name={name}
          onDone={(changed) => {
            setDoing('nothing');
            if (changed !== null) onRename(changed);
          }}
        />
      </li>
    );
  if (doing === 'delete')
    return (
      <li className={styles['row']}>
        <span className={styles['words']}>{words.deleteQuestion(name)}</span>
        <Button onPress={onDelete}>{words.delete}</Button>
        <Button autoFocus onPress={() => setDoing('nothing')}>
          {words.keep}
        </Button>
      </li>
    );
  return (
    <li className={styles['row']}>
      <span className={styles['words']}>
        <Button variant="link" aria-label={words.open(name)} onPress={onOpen}>
          {name}
        </Button>
        <span className={styles['quiet']} title={formatFully(savedAt)}>
          {template && `${words.template}, `}
          {words.facts(documents, formatWhen(savedAt))}
        </span>
      </span>
      <Button variant="plain" aria-label={words.renameOne(name)} onPress={() => setDoing('rename')}>
        {words.rename}
      </Button>
      <IconButton icon="close" label={words.deleteOne(name)} onPress={() => setDoing('delete')} />
    </li>
  );
}

function NewName({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const [text, setText] = useState(name);
  const [isLeft, setLeft] = useState(false);
  const leave = (named: string) => {
    if (isLeft) return;
    setLeft(true);
    onDone(named.trim() === '' || named.trim() === name ? null : named.trim());
  };
  return (
    <TextField
      label={t.send.drafts.name}
      isLabelHidden
      autoFocus
      maxLength={NAME_LENGTH}
      value={text}
      onChange={setText}
      onFocus={({ target }) => target.select()}
      onBlur={() => leave(text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          leave(text);
        } else if (event.key === 'Escape') leave(name);
        else event.continuePropagation();
      }}
    />
  );
}
