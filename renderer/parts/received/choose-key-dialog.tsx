import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../../api/client.ts';
import { t } from '../../texts/index.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { LoadProblem } from '../load-problem.tsx';

const words = t.inbox.original.choosing;

/** Contacts of one list; where there are more, they are searched. */
const LISTED = 100;

interface ChooseKeyProps {
  readonly onChoose: (contactId: string) => void;
  readonly onClose: () => void;
}

/** Chooses the contact whose shared key is tried on the pages of a fax. */
export function ChooseKeyDialog({ onChoose, onClose }: ChooseKeyProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const contacts = useQuery({
    queryKey: ['contacts', 'with-key', q],
    queryFn: ({ signal }) =>
      client.contacts.listContacts({ query: { has_key: 'true', limit: LISTED, ...(q && { q }) }, signal }),
    placeholderData: keepPreviousData,
  });
  const items = contacts.data?.items ?? [];
  const isListed = items.some(({ id }) => id === chosen);
  const isLong = typed !== '' || (contacts.data?.next_cursor ?? null) !== null;
  return (
    <FormDialog
      title={words.title}
      words={words}
      isPending={false}
      blocked={isListed ? null : words.chooseFirst}
      onSave={() => chosen !== null && isListed && onChoose(chosen)}
      onClose={onClose}
    >
      <LoadProblem of={contacts} />
      {isLong && (
        <TextField
          label={words.search}
          icon="search"
          autoComplete="off"
          maxLength={100}
          value={typed}
          onChange={setTyped}
        />
      )}
      {contacts.data && items.length === 0 ? (
        <p role="status">{typed === '' ? words.none : words.noMatch}</p>
      ) : (
        <Choice
          label={words.contact}
          help={words.help}
          value={isListed ? chosen : null}
          onChange={setChosen}
          options={items.map(({ id, name, fax_number, shared_key_fingerprint: key }) => ({
            id,
            label: name,
            help: words.keyOf(fax_number, key ?? ''),
          }))}
        />
      )}
    </FormDialog>
  );
}
