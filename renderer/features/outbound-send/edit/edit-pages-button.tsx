import { lazy, Suspense, useState } from 'react';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import type { EditableFiles } from './page-order.ts';

const EditPages = lazy(async () => ({ default: (await import('./edit-pages.tsx')).EditPages }));

/** Opens the pages of the files to be changed. */
export function EditPagesButton({
  previewId,
  isDisabled,
  ...files
}: EditableFiles & { previewId: string; isDisabled: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="rotate" isDisabled={isDisabled} onPress={() => setOpen(true)}>
        {t.send.edit.open}
      </Button>
      {isOpen && (
        <Suspense>
          <EditPages {...files} previewId={previewId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
