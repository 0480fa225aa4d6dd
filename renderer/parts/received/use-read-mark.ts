import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { client } from '../../api/client.ts';
import { useInFront } from '../../api/in-front.ts';
import { type InboundFax, inboundQuery, readersQuery } from '../../api/inbound.ts';
import { queryClient } from '../../api/queries.ts';
import { isOpenable } from './use-openable.ts';

/** A fax in view for this long counts as read; skimming past does not. */
const IN_VIEW_MS = 1_500;

export interface ReadMark {
  readonly isPending: boolean;
  readonly error: unknown;
  /** As read, or as unread; from then on only the person decides. */
  readonly set: (read: boolean) => void;
  /** Something was done with the fax, which nobody does unread. */
  readonly acted: () => void;
}

/** Marks a fax as read once its pages were in view for a while, or something was done with it. */
export function useReadMark(fax: InboundFax): ReadMark {
  const { id } = fax;
  const marking = useMutation({
    mutationFn: (read: boolean) => client.inbound.markInbound({ params: { id }, body: { read } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(inboundQuery(id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: readersQuery(id).queryKey });
      void queryClient.invalidateQueries({ queryKey: ['inbound-counts'] });
    },
  });
  const isInFront = useInFront();
  const isShown = isOpenable(fax);
  const latest = useRef({ fax, mutate: marking.mutate });
  latest.current = { fax, mutate: marking.mutate };
  const isDecided = useRef(fax.read_at !== null);
  const set = (read: boolean) => {
    isDecided.current = true;
    latest.current.mutate(read);
  };
  const read = useRef(() => {});
  read.current = () => {
    if (!isDecided.current && latest.current.fax.read_at === null) set(true);
  };
  useEffect(() => {
    if (!isShown || !isInFront || isDecided.current) return;
    const timer = setTimeout(() => read.current(), IN_VIEW_MS);
    return () => clearTimeout(timer);
  }, [isShown, isInFront]);
  const acted = () => {
    if (isShown) read.current();
  };
  return { isPending: marking.isPending, error: marking.error, set, acted };
}
