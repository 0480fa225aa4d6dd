import { useQuery } from '@tanstack/react-query';
import { evidenceQuery } from '../../../api/inbound.ts';
import { HistoryPart } from '../../../parts/history-part.tsx';
import { EVIDENCE_SIGNS } from '../../../parts/history-signs.ts';
import { t } from '../../../texts/index.ts';

/** Shows the reports about the fax and the actions on it. */
export function History({ id }: { id: string }) {
  const evidence = useQuery(evidenceQuery(id));
  const words = t.inbox.details;
  const entries = (evidence.data?.items ?? []).map((item) => ({
    occurredAt: item.occurred_at,
    sign: EVIDENCE_SIGNS[item.kind],
    text: item.text,
    by: words.actor(item.actor),
  }));
  return (
    <HistoryPart
      title={words.history}
      brokeTitle={words.historyBroke}
      of={evidence}
      entries={entries}
      timeWidth={60}
    />
  );
}
