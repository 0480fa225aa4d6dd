import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasDirectoryQuery } from '../../../api/contacts.ts';
import { t } from '../../../texts/contacts.ts';
import { Button } from '../../../ui/button.tsx';
import { DirectoryDialog } from './directory-dialog.tsx';

/** Opens the search of the office directory, where the settings name one. */
export function DirectoryButton({ onShow }: { onShow: (id: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const isSet = useQuery(hasDirectoryQuery).data === true;
  if (!isSet) return null;
  return (
    <>
      <Button icon="search" onPress={() => setOpen(true)}>
        {t.contacts.directory.open}
      </Button>
      {isOpen && <DirectoryDialog onClose={() => setOpen(false)} onShow={onShow} />}
    </>
  );
}
