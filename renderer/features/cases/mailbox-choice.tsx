import { useQuery } from '@tanstack/react-query';
import { contextQuery, useMe } from '../../api/queries.ts';
import { t } from '../../texts/cases.ts';
import { Choice } from '../../ui/choice.tsx';

/** Id of the choice of no mailbox; ids of mailboxes are longer. */
const NONE = 'none';

/** The mailbox that a packet is sent for, where there is a choice. `value` is empty for none. */
export function MailboxChoice({ value, onChange }: { value: string; onChange: (mailbox: string) => void }) {
  const mailboxes = useQuery(contextQuery).data?.send?.mailboxes ?? [];
  const none = useMe()?.permissions.includes('fax:send') ? [{ id: NONE, label: t.send.noMailbox }] : [];
  const choices = [...none, ...mailboxes];
  if (choices.length < 2) return null;
  return (
    <Choice
      label={t.send.sentFor}
      options={choices}
      value={choices.find(({ id }) => id === (value || NONE))?.id ?? null}
      placeholder={t.send.chooseMailbox}
      onChange={(choice) => onChange(choice === NONE ? '' : choice)}
    />
  );
}
