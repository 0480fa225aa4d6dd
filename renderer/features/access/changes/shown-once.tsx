import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './changes.module.css';

/** A secret that nobody can be shown again; only the button closes it. */
export function ShownOnce(props: {
  title: string;
  label: string;
  secret: string;
  sentence: string;
  stored: string;
  onStored: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onStored}
      kind="answered"
      actions={
        <Button variant="primary" onPress={props.onStored}>
          {props.stored}
        </Button>
      }
    >
      <div className={styles['form']}>
        <CopyField label={props.label} value={props.secret} />
        <Notice tone="warn">{props.sentence}</Notice>
        {props.children}
      </div>
    </Dialog>
  );
}
