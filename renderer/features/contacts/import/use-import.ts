import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { contactsChanged } from '../../../api/contacts.ts';

type Existing = 'keep' | 'update';

/** A CSV file: first what it would change, then the import itself. */
export function useImport() {
  const [chosen, setChosen] = useState<{ file: File; number: number } | null>(null);
  const [existing, setExisting] = useState<Existing>('keep');
  const send = async (checkOnly: boolean) => {
    if (chosen === null) throw new Error('a file is chosen first');
    const { file } = chosen;
    return client.contacts.importContacts({
      fields: { existing, check_only: String(checkOnly) },
      files: { file: [{ name: file.name, content: file }] },
    });
  };
  const checking = useQuery({
    queryKey: ['contacts', 'import', chosen?.number, existing],
    enabled: chosen !== null,
    gcTime: 0,
    retry: false,
    queryFn: () => send(true),
  });
  const importing = useMutation({
    mutationFn: () => send(false),
    onSuccess: () => contactsChanged(),
  });
  return {
    file: chosen?.file ?? null,
    choose: (file: File) => setChosen({ file, number: (chosen?.number ?? 0) + 1 }),
    existing,
    setExisting,
    checked: checking.data ?? null,
    isChecking: chosen !== null && checking.isFetching,
    error: importing.error ?? checking.error,
    run: () => importing.mutate(),
    isRunning: importing.isPending,
    done: importing.data ?? null,
  };
}
