import { useMemo } from 'react';
import type { Contact } from '../../api/contacts.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/contacts.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { ContactState } from './contact-state.tsx';

const words = t.contacts.columns;

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
