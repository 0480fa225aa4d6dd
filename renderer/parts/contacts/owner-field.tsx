import { useQuery } from '@tanstack/react-query';
import type { Contact } from '../../api/contacts.ts';
import { contextQuery } from '../../api/queries.ts';
import { t } from '../../texts/contacts.ts';
import { Choice } from '../../ui/choice.tsx';

const words = t.contacts.form;

/** Choice of the people who see a contact: everyone, or those of a mailbox. Shown only where there are mailboxes. */
export function OwnerField(props: {
  contact: Contact | null;
  /** ID of the mailbox; empty for everyone. */
  owner: string;
  onChange: (owner: string) => void;
}) {
  const { contact, owner, onChange } = props;
  const mailboxes = useQuery(contextQuery).data?.send?.mailboxes ?? [];
  const { owner_mailbox_id: id = null, owner_mailbox: label = null } = contact ?? {};
  const isKnown = id === null || mailboxes.some((mailbox) => mailbox.id === id);
  const all = isKnown ? mailboxes : [...mailboxes, { id, label: label ?? id }];
  if (all.length === 0) return null;
  return (
    <Choice
      label={words.owner}
      value={owner}
      onChange={onChange}
      options={[
        { id: '', label: words.everyone },
        ...all.map((mailbox) => ({ id: mailbox.id, label: words.ownerOnly(mailbox.label) })),
      ]}
    />
  );
}
