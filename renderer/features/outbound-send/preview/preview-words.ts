import { useEffect } from 'react';
import type { PreviewState } from '../../../parts/previews/preview-store.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';

/** Tells readers when the pages are counted and when the preview is there. */
export function usePreviewWords({ preview, files }: PreviewState, isCallFree: boolean): void {
  // Drawn again for another number only, it is the same to a reader.
  const of = preview ? `${files.join()} ${preview.clean_greys}` : null;
  const pages = preview?.pages ?? 0;
  const seconds = preview?.complete ? preview.seconds : null;
  useEffect(() => {
    if (of !== null) announce(t.send.saidCounted(formatCount(pages), pages === 1));
  }, [of, pages]);
  useEffect(() => {
    if (of === null || seconds === null) return;
    const count = [formatCount(pages), pages === 1] as const;
    announce(
      isCallFree ? t.send.saidReadyHere(...count) : t.send.saidReady(...count, formatDuration(seconds)),
    );
  }, [of, pages, seconds, isCallFree]);
}
