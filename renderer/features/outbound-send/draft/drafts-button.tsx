import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { savedDraftsQuery } from '../../../api/desk.ts';
import { loadPart } from '../../../api/load-part.ts';
import { t } from '../../../texts/index.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { WaitsForDialog } from '../../../ui/focus/waits.tsx';
import { isEmpty } from './draft.ts';
import type { DraftsProps } from './drafts-dialog.tsx';

const loadDialog = () => loadPart(() => import('./drafts-dialog.tsx'));
const DraftsDialog = lazy(async () => ({ default: (await loadDialog()).DraftsDialog }));

/** Saves the draft for later, or goes on with one that was saved. Nothing to do, nothing to show. */
export function DraftsButton(props: Omit<DraftsProps, 'saved'>) {
  const { draft, isDisabled } = props;
  const saved = useQuery(savedDraftsQuery).data ?? [];
  const [isOpen, setOpen] = useState(false);
  const words = t.send.drafts;
  const isNew = saved.length === 0;
  const isIdle = isNew && isEmpty(draft);
  const label = isNew ? words.saveForLater : words.count(saved.length);
  useActions(t.send.newFax, [
    { id: 'drafts', label, icon: 'file', isDisabled: isIdle || isDisabled, run: () => setOpen(true) },
  ]);
  return (
    <>
      {!isIdle && (
        <Button variant="plain" icon="file" isDisabled={isDisabled} onPress={() => setOpen(true)}>
          {label}
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={<WaitsForDialog />}>
          <DraftsDialog {...props} saved={saved} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
