import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import type { Mailbox } from './mailbox-queries.ts';

const words = t.access.mailbox;

/** A new mailbox, or another name of one. */
export function MailboxDialog(props: {
  mailbox?: Mailbox;
  policyVersion: number;
  onClose: () => void;
  onDone: (mailbox: Mailbox) => void;
}) {
  const { mailbox, policyVersion, onClose, onDone } = props;
  const [label, setLabel] = useState(mailbox?.label ?? '');
  const change = useChange(
    (body: { label: string; expected_policy_version: number }) =>
      mailbox
        ? access.mailboxes.changeMailbox({
            params: { id: mailbox.id },
            body: { ...body, version: mailbox.version },
          })
        : access.mailboxes.createMailbox({ body }),
    ({ mailbox: changed }) => {
      announce(mailbox ? words.saidRenamed : words.saidCreated);
      onDone(changed);
    },
  );
  return (
    <ChangeDialog
      title={mailbox ? words.renameTitle(mailbox.label) : words.newTitle}
      submit={mailbox ? words.save : words.create}
      change={change}
      missing={label.trim() === '' ? t.access.change.missing.name : null}
      onSubmit={() => change.run({ label: label.trim(), expected_policy_version: policyVersion })}
      onClose={onClose}
    >
      <TextField
        label={words.label}
        help={words.labelHelp}
        value={label}
        maxLength={LIMITS.displayNameLength}
        autoFocus
        autoComplete="off"
        onChange={setLabel}
      />
    </ChangeDialog>
  );
}
