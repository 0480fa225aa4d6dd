import { lazy, Suspense, useState } from 'react';
import { t } from '../../../texts/index.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { isEmpty } from './draft.ts';
import type { DraftsProps } from './drafts-dialog.tsx';

const loadDialog = () => import('./drafts-dialog.tsx');
const DraftsDialog = lazy(async () => ({ default: (await loadDialog()).DraftsDialog }));

/** Saves the draft for later, or goes on with one that was saved. Nothing to do, nothing to show. */
export function DraftsButton(props: DraftsProps) {
  const { draft, saved, isDisabled } = props;
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
        <Suspense>
          <DraftsDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
