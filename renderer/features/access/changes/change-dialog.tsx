import { type FormEvent, type ReactNode, useId } from 'react';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { MainButton } from '../../../ui/main-button.tsx';
import { ChangeProblem } from './change-problem.tsx';
import styles from './changes.module.css';
import type { Change } from './use-change.ts';

/** A form for one change, with its one primary button; Enter in a line presses it. */
export function ChangeDialog(props: {
  title: string;
  /** Label of the primary button. */
  submit: string;
  onSubmit: () => void;
  onClose: () => void;
  change: Pick<Change<never>, 'error' | 'isStale' | 'reload' | 'isPending'>;
  /** Sentence on what is missing yet; null when nothing is. */
  missing?: string | null;
  width?: 'narrow' | 'wide';
  children: ReactNode;
}) {
  const { title, submit, onSubmit, onClose, change, missing = null, width = 'narrow' } = props;
  const form = useId();
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    if (missing === null) onSubmit();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      width={width}
      kind="form"
      actions={
        <>
          <MainButton
            type="submit"
            form={form}
            reason={change.isStale ? t.access.change.reloadFirst : missing}
            isPending={change.isPending}
          >
            {submit}
          </MainButton>
          <Button onPress={onClose}>{t.access.change.cancel}</Button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={submitted} noValidate>
        {props.children}
        <ChangeProblem change={change} />
      </form>
    </Dialog>
  );
}
