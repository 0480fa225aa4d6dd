import { useEffect } from 'react';
import { t } from '../../../texts/index.ts';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import type { PreviewState } from './preview-store.ts';

/** Tells readers when the pages are counted and when the preview is there. */
export function usePreviewWords({ preview }: PreviewState): void {
  const id = preview?.preview_id;
  const pages = preview?.pages ?? 0;
  const seconds = preview?.complete ? preview.seconds : null;
  useEffect(() => {
    if (id !== undefined) announce(t.send.saidCounted(formatCount(pages), pages === 1));
  }, [id, pages]);
  useEffect(() => {
    if (id === undefined || seconds === null) return;
    announce(t.send.saidReady(formatCount(pages), pages === 1, formatDuration(seconds)));
  }, [id, pages, seconds]);
}
