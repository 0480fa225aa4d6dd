import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../../../api/load-part.ts';
import { scannersQuery } from '../../../api/scanning.ts';
import { t } from '../../../texts/index.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { WaitsForDialog } from '../../../ui/focus/waits.tsx';
import type { DraftStore } from '../draft/draft-store.ts';

const loadDialog = () => loadPart(() => import('./scan-dialog.tsx'));
const ScanDialog = lazy(async () => ({ default: (await loadDialog()).ScanDialog }));

/** Opens the scan dialog; offered where the office has a scanner. */
export function ScanButton({ drafts }: { readonly drafts: DraftStore }) {
  const scanners = useQuery(scannersQuery).data ?? [];
  const [isOpen, setOpen] = useState(false);
  const isOffered = scanners.length > 0;
  useActions(
    t.send.newFax,
    isOffered ? [{ id: 'scan', label: t.send.scan.title, icon: 'image', run: () => setOpen(true) }] : [],
  );
  if (!isOffered) return null;
  return (
    <>
      <Button variant="link" onPress={() => setOpen(true)}>
        {t.send.scan.open}
      </Button>
      {isOpen && (
        <Suspense fallback={<WaitsForDialog />}>
          <ScanDialog scanners={scanners} drafts={drafts} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
