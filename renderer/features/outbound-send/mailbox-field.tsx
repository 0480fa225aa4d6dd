import { t } from '../../texts/index.ts';
import { Choice } from '../../ui/choice.tsx';
import type { Mailboxes } from './mailboxes.ts';

/** For which mailbox the fax is sent. */
export function MailboxField(props: { mailboxes: Mailboxes; onChange: (mailbox: string) => void }) {
  const { choices, chosen } = props.mailboxes;
  return (
    <Choice
      label={t.send.sentFor}
      options={choices}
      value={chosen}
      placeholder={t.send.chooseMailbox}
      onChange={props.onChange}
    />
  );
}
