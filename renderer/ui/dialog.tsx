import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { words } from './words.ts';

/** Dialog for content and questions that have no place on the page. `actions` stand at its end; Escape closes it. */
export function Dialog(props: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** `page` is as high as the window, for a document. */
  width?: 'narrow' | 'wide' | 'page';
  /**
   * A form is not closed by a press beside it, and its main button comes first in `actions`; what must be answered is
   * closed only by its own buttons.
   */
  kind?: 'plain' | 'form' | 'answered';
  /** Help page of its subject, or `page#part` to begin at a heading; that of the screen below when left out. */
  helpPage?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { title, isOpen, onClose, width = 'narrow', kind = 'plain', helpPage, actions, children } = props;
  return (
    <ModalOverlay
      className={styles['scrim']}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={kind === 'plain'}
      isKeyboardDismissDisabled={kind === 'answered'}
    >
      <Modal className={styles['modal']} data-width={width}>
        <AriaDialog className={styles['dialog']} data-help={helpPage}>
          <header className={styles['head']}>
            <Heading slot="title" className={styles['title']}>
              {title}
            </Heading>
            {kind !== 'answered' && <IconButton icon="close" label={words.close} onPress={onClose} />}
          </header>
          <div className={styles['body']} data-width={width}>
            {children}
          </div>
          {actions && (
            <footer className={styles['actions']} data-kind={kind}>
              {actions}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
