import { useQuery } from '@tanstack/react-query';
import { workHistoryQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { HistoryPart } from '../history-part.tsx';
import { WORK_HISTORY_SIGNS } from '../history-signs.ts';

/** Shows the owners of the item, the actions on it and the targets it missed. */
export function WorkHistory({ id, title }: { id: string; title: string }) {
  const history = useQuery(workHistoryQuery(id));
  const entries = (history.data?.events ?? []).map((event) => ({
    occurredAt: event.occurred_at,
    sign: WORK_HISTORY_SIGNS[event.kind],
    text: event.text,
    by: t.work.actor(event.actor),
  }));
  return (
    <HistoryPart
      title={title}
      brokeTitle={t.work.historyBroke}
      of={history}
      entries={entries}
      timeWidth={60}
    />
  );
}
