import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { t } from '../../texts/index.ts';
import { Choice } from '../../ui/choice.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { LoadProblem } from '../load-problem.tsx';

const words = t.inbox.original.choosing;

interface ChooseKeyProps {
  readonly onChoose: (contactId: string) => void;
  readonly onClose: () => void;
}

/** Chooses the contact whose shared key is tried on the pages of a fax. */
export function ChooseKeyDialog({ onChoose, onClose }: ChooseKeyProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const contacts = useQuery({
    queryKey: ['contacts', 'with-key'],
    queryFn: ({ signal }) => client.contacts.listContacts({ query: { has_key: 'true', limit: 100 }, signal }),
  });
  const items = contacts.data?.items ?? [];
  return (
    <FormDialog
      title={words.title}
      words={words}
      isPending={false}
      blocked={chosen === null ? words.chooseFirst : null}
      onSave={() => chosen !== null && onChoose(chosen)}
      onClose={onClose}
    >
      <LoadProblem of={contacts} />
      {contacts.data && items.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Choice
          label={words.contact}
          help={words.help}
          value={chosen}
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
