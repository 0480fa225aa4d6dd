import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mailToFax, type Sender, sendersQuery } from '../../../../api/mail-to-fax.ts';
import { usePermission } from '../../../../api/queries.ts';
import { t } from '../../../../texts/access.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Question } from '../../changes/question.tsx';
import { useChange } from '../../changes/use-change.ts';
import { DetailsSection } from '../../details/details.tsx';
import type { Principal } from '../people-queries.ts';
import { AddMailSender } from './add-mail-sender.tsx';
import styles from './principal-view.module.css';

const words = t.access.mailSenders;

/** Shows the e-mail addresses whose messages are sent as faxes of the principal. */
export default function MailSenders({ principal }: { principal: Principal }) {
  const mayChange = usePermission('users:manage');
  const [removing, setRemoving] = useState<Sender | null>(null);
  const [isAdding, setAdding] = useState(false);
  const { data } = useQuery(sendersQuery);
  if (!data) return null;
  const own = data.filter((sender) => sender.principal.id === principal.id);
  return (
    <DetailsSection
      title={words.title}
      aside={
        mayChange && (
          <Button variant="link" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      {own.length === 0 ? (
        <p className={styles['quiet']}>{words.none}</p>
      ) : (
        <ul className={styles['groups']}>
          {own.map((sender) => (
            <li key={sender.id} className={styles['group']}>
              <span>{sender.address}</span>
              {sender.mailbox && (
                <span className={styles['quiet']}>{words.forMailbox(sender.mailbox.label)}</span>
              )}
              {mayChange && (
                <IconButton
                  icon="close"
                  isSmall
                  label={words.remove(sender.address)}
                  onPress={() => setRemoving(sender)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {removing && <RemoveQuestion sender={removing} onAnswered={() => setRemoving(null)} />}
      {isAdding && <AddMailSender principal={principal} onClose={() => setAdding(false)} />}
    </DetailsSection>
  );
}

function RemoveQuestion({ sender, onAnswered }: { sender: Sender; onAnswered: () => void }) {
  const remove = useChange(() => mailToFax.removeSender({ params: { id: sender.id } }), onAnswered);
  return (
    <Question
      title={words.removeTitle(sender.address)}
      sentence={words.removeSentence}
      yes={words.removeYes}
      no={t.access.person.keep}
      change={remove}
      onYes={() => remove.run(undefined)}
      onNo={onAnswered}
    />
  );
}
