import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { type Contact, contactsChanged } from '../../api/contacts.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { ContactDialog } from '../../parts/contacts/contact-dialog.tsx';
import { Question } from '../../parts/forms/question.tsx';
import { t } from '../../texts/contacts.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { ENDS } from '../../ui/focus/places.ts';
import { announce } from '../../ui/live-region.tsx';
import styles from './contact-details.module.css';
import { MergeDialog } from './merge-dialog.tsx';

const words = t.contacts.details;

/** Buttons for a contact. */
export function ContactActions(props: {
  contact: Contact;
  onClose: () => void;
  onShow: (id: string) => void;
}) {
  const { contact, onClose, onShow } = props;
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  const mayChange = usePermission('contacts:manage');
  const [doing, setDoing] = useState<'edit' | 'merge' | 'remove' | null>(null);
  const done = () => setDoing(null);
  useActions(t.contacts.keys.thisContact, [
    {
      id: 'edit-contact',
      label: t.contacts.keys.edit,
      keys: 'e',
      isDisabled: !mayChange,
      run: () => setDoing('edit'),
    },
  ]);
  if (doing === 'remove') return <RemoveQuestion contact={contact} onNo={done} onRemoved={onClose} />;
  return (
    <div className={styles['line']}>
      {maySend && !contact.blocked && (
        <Button
          icon="send"
          onPress={() => void navigate({ to: '/send', search: { to: contact.fax_number } })}
        >
          {words.newFax}
        </Button>
      )}
      {mayChange && (
        <>
          <Button keys="e" onPress={() => setDoing('edit')}>
            {words.edit}
          </Button>
          <Button onPress={() => setDoing('merge')}>{words.merge}</Button>
          <Button {...ENDS} onPress={() => setDoing('remove')}>
            {words.remove}
          </Button>
        </>
      )}
      {doing === 'merge' && <MergeDialog contact={contact} onClose={done} />}
      {doing === 'edit' && (
        <ContactDialog
          contact={contact}
          onClose={done}
          onDone={done}
          onShow={(id) => {
            done();
            onShow(id);
          }}
        />
      )}
    </div>
  );
}

function RemoveQuestion(props: { contact: Contact; onNo: () => void; onRemoved: () => void }) {
  const { contact, onNo, onRemoved } = props;
  const removing = useMutation({
    mutationFn: () =>
      client.contacts.removeContact({ params: { id: contact.id }, body: { version: contact.version } }),
    onSuccess: async () => {
      announce(words.removed(contact.name));
      onRemoved();
      await contactsChanged();
    },
  });
  return (
    <Question
      title={words.removeTitle(contact.name)}
      sentence={words.removeSentence}
      yes={words.removeYes}
      no={words.cancel}
      isPending={removing.isPending}
      reason={null}
      onYes={() => removing.mutate()}
      onNo={onNo}
    >
      {removing.error !== null && <p role="alert">{sentenceOf(removing.error)}</p>}
    </Question>
  );
}
