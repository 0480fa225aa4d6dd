import { useState } from 'react';
import { access } from '../../../api/access.ts';
import { useInstallation } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Choice } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { usePhoneReader } from '../../../ui/phone-reader.ts';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import type { Mailbox, Rule } from './mailbox-queries.ts';

const words = t.access.mailbox;

/** Dialog that adds a number to a mailbox. It posts the number that is shown below the field. */
export function AddNumberDialog(props: { mailbox: Mailbox; policyVersion: number; onClose: () => void }) {
  const { mailbox, policyVersion, onClose } = props;
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const country = useInstallation()?.country ?? '';
  const read = usePhoneReader()?.readNumber(typed, country) ?? null;
  const number = read?.kind === 'number' ? read : null;
  const change = useChange(
    (toNumber: string) =>
      access.mailboxes.createInboundRule({
        body: {
          to_number: toNumber,
          mailbox_id: mailbox.id,
          expected_policy_version: policyVersion,
        },
      }),
    () => {
      announce(words.saidAdded);
      onClose();
    },
  );
  const type = (text: string) => {
    setTyped(text);
    setChecked(false);
  };
  const submit = () => {
    setChecked(true);
    if (number !== null) change.run(number.to);
  };
  return (
    <ChangeDialog
      title={words.addTitle(mailbox.label)}
      submit={words.add}
      change={change}
      missing={read === null || read.kind === 'empty' ? t.access.change.missing.number : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={words.number}
        help={number === null ? words.numberHelp : words.numberShown(number.display)}
        error={isChecked && number === null ? words.numberWrong : null}
        type="tel"
        value={typed}
        maxLength={40}
        autoFocus
        autoComplete="off"
        onChange={type}
      />
    </ChangeDialog>
  );
}

/** Dialog that moves a number to another mailbox. */
export function MoveNumberDialog(props: {
  rule: Rule;
  mailboxes: readonly Mailbox[];
  policyVersion: number;
  onClose: () => void;
}) {
  const { rule, mailboxes, policyVersion, onClose } = props;
  const phone = usePhoneFormat();
  const others = mailboxes.filter(({ id }) => id !== rule.mailbox.id);
  const [toId, setToId] = useState<string | null>(others.length === 1 ? (others[0]?.id ?? null) : null);
  const change = useChange(
    (mailboxId: string) =>
      access.mailboxes.changeInboundRule({
        params: { id: rule.id },
        body: {
          mailbox_id: mailboxId,
          version: rule.version,
          expected_policy_version: policyVersion,
        },
      }),
    () => {
      announce(words.saidMoved);
      onClose();
    },
  );
  return (
    <ChangeDialog
      title={words.moveTitle(phone(rule.to_number))}
      submit={words.moveYes}
      change={change}
      missing={toId === null ? t.access.change.missing.mailbox : null}
      onSubmit={() => toId !== null && change.run(toId)}
      onClose={onClose}
    >
      <p>{words.moveSentence}</p>
      <Choice
        label={words.moveTo}
        placeholder={words.choose}
        value={toId}
        onChange={setToId}
        options={others.map(({ id, label, enabled }) => ({
          id,
          label,
          ...(enabled ? {} : { help: words.isDisabled }),
        }))}
      />
    </ChangeDialog>
  );
}
