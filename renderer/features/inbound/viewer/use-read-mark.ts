import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { client } from '../../../api/client.ts';
import { type InboundFax, inboundQuery } from '../../../api/inbound.ts';
import { queryClient } from '../../../api/queries.ts';

/** Marks a fax as read when its pages are shown, once; afterwards the person decides. */
export function useReadMark(fax: InboundFax, mayOpen: boolean) {
  const { id } = fax;
  const mark = useMutation({
    mutationFn: (read: boolean) => client.inbound.markInbound({ params: { id }, body: { read } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(inboundQuery(id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['inbound-counts'] });
    },
  });
  const isShown = fax.status === 'received' && mayOpen;
  const { mutate } = mark;
  const latest = useRef(fax);
  latest.current = fax;
  useEffect(() => {
    if (isShown && latest.current.read_at === null) mutate(true);
  }, [isShown, mutate]);
  return mark;
}

export type ReadMark = ReturnType<typeof useReadMark>;
