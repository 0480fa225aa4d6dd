import { useQuery } from '@tanstack/react-query';
import { faxHistoryQuery } from '../../../api/outbound.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { notSentReason } from '../../../parts/not-sent-reason.ts';
import { Notice } from '../../../ui/notice.tsx';

/** Shows what a fax waits for, or why it needs a person's decision before it is sent. */
export function NotSentNotice({ fax }: { fax: Fax }) {
  const history = useQuery(faxHistoryQuery(fax.id));
  const sentence = notSentReason(fax, history.data?.events ?? []);
  return sentence === null ? null : <Notice tone="warn">{sentence}</Notice>;
}
