import { useState } from 'react';
import { LIMITS } from '../../../../../shared/limits.ts';
import { mailToFax } from '../../../../api/mail-to-fax.ts';
import { usePermission } from '../../../../api/queries.ts';
import { t } from '../../../../texts/access.ts';
import { Choice } from '../../../../ui/choice.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { useChange } from '../../changes/use-change.ts';
import { useEveryMailbox } from '../../mailboxes/mailbox-queries.ts';
import type { Principal } from '../people-queries.ts';

const words = t.access.mailSenders;

/** Dialog that adds an e-mail address whose messages are sent as faxes of the principal. */
export function AddMailSender({ principal, onClose }: { principal: Principal; onClose: () => void }) {
  const [address, setAddress] = useState('');
  const [mailbox, setMailbox] = useState('');
  const add = useChange(
    () =>
      mailToFax.addSender({
        body: {
          address: address.trim(),
          principal_id: principal.id,
          mailbox: mailbox === '' ? null : mailbox,
        },
      }),
    onClose,
  );
  const type = (text: string) => {
    setAddress(text);
    add.forget();
  };
  return (
    <ChangeDialog
      title={words.addTitle(principal.display_name)}
      submit={words.addYes}
      onSubmit={() => add.run(undefined)}
      onClose={onClose}
      change={add}
      missing={/^[^\s@]+@[^\s@]+$/u.test(address.trim()) ? null : t.access.change.missing.address}
    >
      <p>{words.sentence}</p>
      <TextField
        autoFocus
        label={words.address}
        type="email"
        value={address}
        maxLength={LIMITS.connector.address}
        autoComplete="off"
        onChange={type}
      />
      {usePermission('mailboxes:read') && <MailboxField value={mailbox} onChange={setMailbox} />}
    </ChangeDialog>
  );
}

/** Nothing where there is no mailbox. */
function MailboxField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const open = useEveryMailbox().items.filter(({ enabled }) => enabled);
  if (open.length === 0) return null;
  return (
    <Choice
      label={words.mailbox}
      help={words.mailboxHelp}
      value={value}
      onChange={onChange}
      options={[{ id: '', label: words.noMailbox }, ...open.map(({ id, label }) => ({ id, label }))]}
    />
  );
}
