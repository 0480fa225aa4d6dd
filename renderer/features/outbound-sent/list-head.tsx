import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { PaneHead } from '../../ui/pane.tsx';
import type { SentList } from './use-sent-list.ts';

/** Name of the screen, how many faxes there are, and the way to a new one. */
export function ListHead({ list, total }: { list: SentList; total: number | null }) {
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  return (
    <PaneHead title={t.sent.title} level={1} count={<span role="status">{countText(list, total)}</span>}>
      {maySend && (
        <Button icon="plus" keys="n" onPress={() => void navigate({ to: '/send' })}>
          {t.sent.newFax}
        </Button>
      )}
    </PaneHead>
  );
}

function countText(list: SentList, total: number | null): string {
  const here = list.items.length;
  const known = list.isWhole ? here : total;
  if (known !== null) return t.sent.count(formatCount(known), known === 1);
  return list.isOpening ? '' : t.sent.moreThan(formatCount(here));
}
