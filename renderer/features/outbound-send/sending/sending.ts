import { useIsMutating, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { storeFax } from '../../../api/outbound.ts';
import { printedQuery } from '../../../api/printing.ts';
import { queryClient } from '../../../api/queries.ts';
import { randomId } from '../../../api/random-id.ts';
import { isRefused } from '../../../api/sentence.ts';
import type { PreviewStore } from '../../../parts/previews/preview-store.ts';
import { t } from '../../../texts/index.ts';
import { announce } from '../../../ui/live-region.tsx';
import { type Draft } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import { rememberPages } from '../live/sent-pages.ts';
import { printedIds } from '../printed/printed-documents.ts';
import { type ShownFax, sendDraft } from './send-fax.ts';
import { problemOf, type SendingProblem } from './sending-problem.ts';

interface Sending {
  readonly isSending: boolean;
  /** Of the upload that sending needed, 0 to 1. */
  readonly uploaded: number | null;
  readonly problem: SendingProblem | null;
  /** The fax of the last try; null before the first. */
  readonly tried: ShownFax | null;
  readonly send: () => void;
  /** As a second fax, although an earlier form of the draft was taken. */
  readonly sendAsNew: () => void;
  readonly forget: () => void;
}

const SENDING = ['send'];

function useIsMounted() {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

/** Sends the draft once, however often it is pressed, and goes on to the fax that it became. */
export function useSending(
  drafts: DraftStore,
  previews: PreviewStore,
  { draft, to, cover }: { draft: Draft; to: string | null; cover: ShownFax['cover'] },
): Sending {
  const navigate = useNavigate();
  const [uploaded, setUploaded] = useState<number | null>(null);
  // A person who went to another screen meanwhile stays there.
  const isMounted = useIsMounted();
  // Also one that was begun before the person looked at another screen.
  const isSending = useIsMutating({ mutationKey: SENDING }) > 0;
  const sending = useMutation({
    mutationKey: SENDING,
    mutationFn: (shown: ShownFax) => sendDraft(drafts, previews, { ...shown, onUpload: setUploaded }),
    onSuccess: ({ fax, isOfPreview }, { draft: sent }) => {
      const { preview } = previews.get();
      // One whose header line still names another number shows another fax.
      if (preview && isOfPreview && preview.to === fax.to && fax.cover === null)
        rememberPages(fax.id, preview);
      previews.release();
      storeFax(fax);
      if (printedIds(sent.files).length > 0) void queryClient.invalidateQueries(printedQuery);
      for (const key of ['fax-counts', 'recipients', 'number-check'])
        void queryClient.invalidateQueries({ queryKey: [key] });
      if (isMounted.current) void navigate({ to: '/send/$faxId', params: { faxId: fax.id } });
    },
    onError: (error) => {
      // The number or its documents are known better by now.
      if (isRefused(error, 'guard_refused', 'number_blocked'))
        void queryClient.invalidateQueries({ queryKey: ['number-check'] });
    },
    onSettled: () => setUploaded(null),
  });
  const send = (shown: Draft) => {
    if (to === null || queryClient.isMutating({ mutationKey: SENDING }) > 0) return;
    announce(t.send.sending);
    sending.mutate({ draft: shown, to, cover });
  };
  return {
    isSending,
    uploaded,
    problem: isSending ? null : problemOf(sending.error),
    tried: sending.variables ?? null,
    send: () => send(draft),
    sendAsNew() {
      const anew = { key: randomId(), tried: null };
      drafts.change((now) => ({ ...now, ...anew }));
      send({ ...draft, ...anew });
    },
    forget: sending.reset,
  };
}
