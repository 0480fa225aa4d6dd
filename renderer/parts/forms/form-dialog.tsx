import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './form-dialog.module.css';

/** A dialog with fields that are saved together, or left as they were. */
export function FormDialog(props: {
  title: string;
  words: { readonly save: string; readonly cancel: string };
  isPending: boolean;
  /** True when the input cannot be saved as it is; the form shows why. */
  isBlocked: boolean;
  width?: 'wide';
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, words, isPending, isBlocked, width, onSave, onClose, children } = props;
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      kind="form"
      {...(width && { width })}
      actions={
        <>
          <Button variant="primary" type="submit" form={id} isPending={isPending} isDisabled={isBlocked}>
            {words.save}
          </Button>
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
