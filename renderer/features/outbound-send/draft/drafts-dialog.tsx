import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SavedDraft } from '../../../api/desk.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { NAME_LENGTH } from '../../../parts/draft-files.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type Draft, isEmpty, suggestedName } from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import styles from './drafts-dialog.module.css';
import { removeSavedDraft, renameSavedDraft, saveDraft } from './saved-drafts.ts';
import { SavedRow } from './saved-row.tsx';

export interface DraftsProps {
  readonly drafts: DraftStore;
  readonly draft: Draft;
  readonly saved: readonly SavedDraft[];
  /** While the fax is handed over its draft stays where it is. */
  readonly isDisabled: boolean;
  /** Another draft is on the form now. */
  readonly onSwitched: () => void;
}

/** The draft on the form can be put away under a name, and those that were can be gone on with. */
export function DraftsDialog(props: DraftsProps & { onClose: () => void }) {
  const { drafts, draft, saved, onClose, onSwitched } = props;
  const words = t.send.drafts;
  const change = useMutation({ mutationFn: (work: () => Promise<void>) => work(), networkMode: 'always' });
  /** One thing at a time. */
  const run = (work: () => Promise<void>, done: () => void) => {
    if (!change.isPending) change.mutate(work, { onSuccess: done });
  };
  const announced = (said: string) => () => {
    announce(said);
    onClose();
  };
  const switched = (said: string) => () => {
    announce(said);
    onClose();
    onSwitched();
  };
  return (
    <Dialog title={words.title} isOpen kind="form" helpPage="drafts#drafts" onClose={onClose}>
      {change.error !== null && (
        <Notice tone="danger" isLive>
          {words.failed(sentenceOf(change.error))}
        </Notice>
      )}
      {!isEmpty(draft) && (
        <SaveForm
          suggested={suggestedName(draft)}
          onSave={(name) => run(() => drafts.saveForLater(name), switched(words.saved(name)))}
          onSaveTemplate={(name) =>
            run(() => saveDraft(draft, { name, template: true }), announced(words.savedTemplate(name)))
          }
        />
      )}
      {saved.length === 0 ? (
        <p className={styles['quiet']}>{words.onlyYours}</p>
      ) : (
        <SavedList {...props} run={run} switched={switched} />
      )}
    </Dialog>
  );
}

function SavedList(
  props: DraftsProps & {
    run: (work: () => Promise<void>, done: () => void) => void;
    switched: (said: string) => () => void;
  },
) {
  const { drafts, draft, saved, run, switched } = props;
  const words = t.send.drafts;
  const open = ({ id, name }: SavedDraft) =>
    run(() => drafts.openSaved(id, suggestedName(draft)), switched(words.opened(name)));
  const rename = ({ id }: SavedDraft, name: string) =>
    run(
      () => renameSavedDraft(id, name),
      () => announce(words.renamed(name)),
    );
  const remove = ({ id, name }: SavedDraft) =>
    run(
      () => removeSavedDraft(id),
      () => announce(words.deleted(name)),
    );
  return (
    <section className={styles['saved']}>
      <h3>{words.list}</h3>
      <ul>
        {saved.map((one) => (
          <SavedRow
            key={one.id}
            saved={one}
            onOpen={() => open(one)}
            onRename={(name) => rename(one, name)}
            onDelete={() => remove(one)}
          />
        ))}
      </ul>
      {!isEmpty(draft) && <p className={styles['quiet']}>{words.keepsPresent}</p>}
    </section>
  );
}

function SaveForm(props: {
  suggested: string;
  onSave: (name: string) => void;
  onSaveTemplate: (name: string) => void;
}) {
  const { suggested, onSave, onSaveTemplate } = props;
  const [name, setName] = useState(suggested);
  const words = t.send.drafts;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(name.trim() || suggested);
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <TextField
        label={words.name}
        autoFocus
        autoComplete="off"
        maxLength={NAME_LENGTH}
        value={name}
        onChange={setName}
        onFocus={({ target }) => target.select()}
      />
      <Button type="submit" variant="primary">
        {words.saveForLater}
      </Button>
      <Button onPress={() => onSaveTemplate(name.trim() || suggested)}>{words.saveTemplate}</Button>
      <p className={styles['quiet']}>{words.templateHelp}</p>
    </form>
  );
}
