import { type ReactNode, useEffect, useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { beginHere } from '../../ui/focus/keeper.ts';
import { BEGIN, BEGIN_AT_FIELD } from '../../ui/focus/places.ts';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { useScreenTitle } from '../window-title.ts';
import styles from './list-and-form.module.css';

/** Screen of a list whose entries are sent with a form: beside the list is the form, or the entry that is open. */
export function ListAndForm(props: {
  words: { title: string; list: string; choose: string; chooseSentence: string };
  /** Button that opens the form, for people who may send. */
  begin: string;
  /** Opens the form at once. */
  beginsNew?: boolean;
  openId: string | undefined;
  onOpen: (id: string) => void;
  /** The form was closed, and nothing was sent. */
  onClose?: () => void;
  list: (choice: { openId: string | undefined; onOpen: (id: string) => void }) => ReactNode;
  form: (acts: { onSent: (id: string) => void; onClose: () => void }) => ReactNode;
  /** The entry that is open, and that it was sent just now: then the focus is on it. */
  entry: (id: string, isJustSent: boolean) => ReactNode;
}) {
  const { words, openId, beginsNew = false } = props;
  useScreenTitle(words.title);
  const [isNew, setNew] = useState(beginsNew);
  useEffect(() => {
    if (beginsNew) setNew(true);
  }, [beginsNew]);
  useEffect(() => {
    if (isNew) beginHere();
  }, [isNew]);
  const maySend = usePermission('fax:send');
  const [sentId, setSent] = useState<string | null>(null);
  const show = (id: string, isSent = false) => {
    setNew(false);
    setSent(isSent ? id : null);
    props.onOpen(id);
  };
  const close = () => {
    setNew(false);
    props.onClose?.();
  };
  return (
    <>
      <Pane label={words.list} width="340px">
        <PaneHead level={1} title={words.title}>
          {maySend && (
            <Button {...(isNew ? {} : BEGIN)} icon="plus" onPress={() => setNew(true)}>
              {props.begin}
            </Button>
          )}
        </PaneHead>
        {props.list({ openId: isNew ? undefined : openId, onOpen: (id) => show(id) })}
      </Pane>
      {isNew && (
        <div {...BEGIN_AT_FIELD} className={styles['form']}>
          {props.form({ onSent: (id) => show(id, true), onClose: close })}
        </div>
      )}
      {!isNew && openId !== undefined && props.entry(openId, openId === sentId)}
      {!isNew && openId === undefined && (
        <Pane label={words.choose}>
          <PaneBody>
            <EmptyState icon="group" title={words.choose}>
              {words.chooseSentence}
            </EmptyState>
          </PaneBody>
        </Pane>
      )}
    </>
  );
}
