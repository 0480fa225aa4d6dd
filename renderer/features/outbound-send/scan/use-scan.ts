import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../../api/queries.ts';
import { type Scan, scanning, scanQuery } from '../../../api/scanning.ts';
import { t } from '../../../texts/index.ts';
import { announce } from '../../../ui/live-region.tsx';
import type { DraftStore } from '../draft/draft-store.ts';
import { addToDraft } from '../printed/printed-documents.ts';
import type { ScanOrder } from './scan-options.tsx';

interface ScanUnderWay {
  /** Null before the first page was asked for. */
  readonly scan: Scan | null;
  readonly isRunning: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Scans pages: the first ones, or more. */
  start(scannerId: string, order: ScanOrder): void;
  /** Adds the pages to the fax as one document and ends. */
  add(): void;
  /** Discards the pages and ends. */
  discard(): void;
}

/** A scan of the dialog, from its first page until it is added or discarded; then `onEnd` is called. */
export function useScan(drafts: DraftStore, onEnd: () => void): ScanUnderWay {
  const [id, setId] = useState<string | null>(null);
  const read = useQuery({ ...scanQuery(id ?? ''), enabled: id !== null });
  const scan = id === null ? null : (read.data ?? null);
  const act = useMutation({ mutationFn: (work: () => Promise<unknown>) => work(), networkMode: 'always' });
  const isRunning = scan?.state === 'scanning';
  return {
    scan,
    isRunning,
    isBusy: isRunning || act.isPending,
    error: act.error ?? read.error,
    start: (scannerId, order) =>
      act.mutate(async () => {
        const now =
          id === null
            ? await scanning.createScan({ body: { scanner_id: scannerId, ...order } })
            : await scanning.addPages({ params: { id }, body: order });
        queryClient.setQueryData(scanQuery(now.id).queryKey, now);
        setId(now.id);
      }),
    add: () =>
      act.mutate(async () => {
        if (scan === null) return;
        const printed = await scanning.finishScan({ params: { id: scan.id } });
        // Where the form is full, it waits above the form.
        const refusal = await addToDraft(drafts, printed);
        announce(refusal ?? t.send.scan.added(scan.pages));
        onEnd();
      }),
    discard() {
      // A scan that is not discarded now is after half an hour.
      if (id !== null) scanning.removeScan({ params: { id } }).catch(() => undefined);
      onEnd();
    },
  };
}
