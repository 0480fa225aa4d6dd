import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import styles from './form-dialog.module.css';

/** A dialog with fields that are saved together, or left as they were. */
export function FormDialog(props: {
  title: string;
  words: { readonly save: string; readonly cancel: string };
  isPending: boolean;
  /** Sentence on why the input cannot be saved as it is; null when it can. */
  blocked: string | null;
  width?: 'wide';
  /** Help page of its subject; that of the screen below when left out. */
  helpPage?: string;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, words, isPending, blocked, width, helpPage, onSave, onClose, children } = props;
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (blocked === null) onSave();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      kind="form"
      {...(width && { width })}
      {...(helpPage !== undefined && { helpPage })}
      actions={
        <>
          <MainButton type="submit" form={id} isPending={isPending} reason={blocked}>
            {words.save}
          </MainButton>
          <Button onPress={onClose}>{words.cancel}</Button>
        </>
      }
    >
      <form id={id} className={styles['form']} onSubmit={submit} noValidate>
        {children}
      </form>
    </Dialog>
  );
}
