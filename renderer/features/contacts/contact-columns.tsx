import { useMemo } from 'react';
import type { Contact } from '../../api/contacts.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/contacts.ts';
import { formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';

const words = t.contacts.columns;
const states = t.contacts.states;

/** Returns the columns of the contacts table. */
export function useContactColumns(): readonly Column<Contact>[] {
  const phone = usePhoneFormat();
  return useMemo(
    () => [
      { id: 'name', head: words.name, title: ({ name }) => name, cell: ({ name }) => name },
      {
        id: 'organization',
        head: words.organization,
        isQuiet: true,
        room: 'wide',
        title: ({ organization }) => organization ?? undefined,
        cell: ({ organization }) => organization,
      },
      {
        id: 'number',
        head: words.number,
        isQuiet: true,
        cell: ({ fax_number }) => <span dir="ltr">{phone(fax_number)}</span>,
      },
      {
        id: 'state',
        head: words.state,
        room: 'medium',
        cell: (contact) => <ContactState contact={contact} />,
      },
    ],
    [phone],
  );
}

/** Shows whether the contact is blocked, and the results of recent faxes. */
function ContactState({ contact }: { contact: Contact }) {
  const {
    blocked,
    opted_out: optedOut,
    opted_out_numbers: listed,
    recent_failures: failures,
    last_success_at: reached,
  } = contact;
  if (blocked)
    return (
      <StateWord tone="danger" icon="alert" size="body">
        {states.blocked}
      </StateWord>
    );
  if (optedOut || listed.length > 0)
    return (
      <StateWord tone="warn" icon="warn" size="body">
        {states.optedOut}
      </StateWord>
    );
  if (failures > 0)
    return (
      <StateWord tone="warn" icon="warn" size="body">
        {states.failed(failures)}
      </StateWord>
    );
  if (reached === null)
    return (
      <StateWord tone="plain" icon="info" size="body">
        {states.never}
      </StateWord>
    );
  return (
    <StateWord tone="ok" icon="ok" size="body">
      {states.reached(formatWhen(reached))}
    </StateWord>
  );
}
