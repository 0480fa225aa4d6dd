import { useQuery } from '@tanstack/react-query';
import { faxHistoryQuery } from '../../../api/outbound.ts';
import { HistoryPart } from '../../../parts/history-part.tsx';
import { FAX_HISTORY_SIGNS } from '../../../parts/history-signs.ts';
import { t } from '../../../texts/sent.ts';

/** Shows the history of the fax. */
export function History({ id }: { id: string }) {
  const history = useQuery(faxHistoryQuery(id));
  const words = t.sent.details;
  const entries = (history.data?.events ?? []).map((event) => ({
    occurredAt: event.occurred_at,
    sign: FAX_HISTORY_SIGNS[event.kind],
    text: event.text,
    by: words.by(event.actor),
  }));
  return (
    <HistoryPart
      title={words.history}
      brokeTitle={words.historyBroke}
      of={history}
      entries={entries}
      timeWidth={76}
    />
  );
}
