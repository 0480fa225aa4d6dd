import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../../api/load-part.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { WaitsForDialog } from '../../ui/focus/waits.tsx';
import type { Preview } from '../previews/preview-run.ts';
import type { EditableFiles } from './page-order.ts';

const EditPages = lazy(async () => ({
  default: (await loadPart(() => import('./edit-pages.tsx'))).EditPages,
}));

/** Opens the pages of the files to be changed. */
export function EditPagesButton({
  preview,
  isDisabled,
  ...files
}: EditableFiles & { preview: Preview; isDisabled: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="rotate" isDisabled={isDisabled} onPress={() => setOpen(true)}>
        {t.send.edit.open}
      </Button>
      {isOpen && (
        <Suspense fallback={<WaitsForDialog />}>
          <EditPages {...files} preview={preview} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
