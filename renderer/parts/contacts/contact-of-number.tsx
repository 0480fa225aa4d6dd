import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { ContactDialog } from './contact-dialog.tsx';

/** Beside a number (E.164; null for none): the contact that has it, or the way to make one. */
export function ContactOfNumber({
  number,
  contact,
}: {
  number: string | null;
  contact: { id: string } | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const maySee = usePermission('contacts:read');
  const mayChange = usePermission('contacts:manage');
  const navigate = useNavigate();
  if (contact && maySee)
    return (
      <Link to="/contacts/{-$contactId}" params={{ contactId: contact.id }} search={{}}>
        {t.contacts.show}
      </Link>
    );
  if (contact || number === null || !maySee || !mayChange) return null;
  return (
    <>
      <Button variant="link" onPress={() => setOpen(true)}>
        {t.contacts.saveAs}
      </Button>
      {isOpen && (
        <ContactDialog
          number={number}
          onClose={() => setOpen(false)}
          onDone={() => setOpen(false)}
          onShow={(contactId) =>
            void navigate({ to: '/contacts/{-$contactId}', params: { contactId }, search: {} })
          }
        />
      )}
    </>
  );
}
