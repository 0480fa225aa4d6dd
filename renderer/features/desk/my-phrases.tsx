import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { desk, type Phrase, phrasesQuery } from '../../api/desk.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { FormDialog } from '../../parts/forms/form-dialog.tsx';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/desk.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './my-settings.module.css';
import { RemovableRow } from './removable-row.tsx';

const words = t.desk;
const EMPTY = { id: null, title: '', text: '' };
type Edited = Omit<Phrase, 'id'> & { readonly id: string | null };

/** The phrases of the person: to add, change and delete. */
export function MyPhrases() {
  const listed = useQuery(phrasesQuery);
  const queries = useQueryClient();
  const [edited, setEdited] = useState<Edited | null>(null);
  const read = () => queries.invalidateQueries(phrasesQuery);
  const phrases = listed.data ?? [];
  return (
    <section className={styles['part']} aria-label={words.phrases}>
      <h2 className={styles['title']}>{words.phrases}</h2>
      <p className={styles['quiet']}>{words.phrasesSentence}</p>
      <LoadProblem of={listed} />
      {listed.data?.length === 0 && <p className={styles['quiet']}>{words.noPhrases}</p>}
      {phrases.length > 0 && (
        <ul className={styles['list']}>
          {phrases.map((phrase) => (
            <PhraseRow key={phrase.id} phrase={phrase} onChange={() => setEdited(phrase)} onDeleted={read} />
          ))}
        </ul>
      )}
      <div>
        <Button onPress={() => setEdited(EMPTY)}>{words.add}</Button>
      </div>
      {edited && <PhraseForm edited={edited} onSaved={read} onClose={() => setEdited(null)} />}
    </section>
  );
}

function PhraseRow(props: { phrase: Phrase; onChange: () => void; onDeleted: () => Promise<void> }) {
  const { phrase, onChange, onDeleted } = props;
  const { id, title, text } = phrase;
  return (
    <RemovableRow
      question={words.deleteQuestion(title)}
      yes={words.delete}
      no={words.keep}
      label={words.deleteOne(title)}
      remove={() => desk.removePhrase({ params: { id } })}
      onRemoved={async () => {
        announce(words.deleted(title));
        await onDeleted();
      }}
    >
      <div className={styles['words']}>
        <p className={styles['name']}>{title}</p>
        <p className={styles['text']}>{text}</p>
      </div>
      <Button aria-label={words.changeOne(title)} onPress={onChange}>
        {words.change}
      </Button>
    </RemovableRow>
  );
}

function PhraseForm(props: { edited: Edited; onSaved: () => Promise<void>; onClose: () => void }) {
  const { edited, onSaved, onClose } = props;
  const [title, setTitle] = useState(edited.title);
  const [text, setText] = useState(edited.text);
  const { id } = edited;
  const save = useMutation({
    mutationFn: () => {
      const body = { title: title.trim(), text };
      return id === null ? desk.createPhrase({ body }) : desk.changePhrase({ params: { id }, body });
    },
    networkMode: 'always',
    onSuccess: async () => {
      announce(words.added(title.trim()));
      await onSaved();
      onClose();
    },
  });
  const missing = title.trim() === '' ? words.titleMissing : text.trim() === '' ? words.textMissing : null;
  return (
    <FormDialog
      title={id === null ? words.addTitle : words.changeTitle}
      words={{ save: words.savePhrase, cancel: words.cancel }}
      isPending={save.isPending}
      blocked={missing}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      {save.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(save.error)}
        </Notice>
      )}
      <TextField
        label={words.phraseTitle}
        autoFocus
        autoComplete="off"
        maxLength={DESK_LIMITS.phraseTitle}
        value={title}
        onChange={setTitle}
      />
      <TextArea
        label={words.phraseText}
        rows={4}
        maxLength={DESK_LIMITS.phraseText}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
}
