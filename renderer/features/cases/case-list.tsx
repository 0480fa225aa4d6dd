import { type CaseRow, cases } from '../../api/cases.ts';
import { FoundList } from '../../parts/lists/found-list.tsx';
import { t } from '../../texts/cases.ts';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';

const words = t.cases;

/** Lists the cases, the one with the newest fax first. */
export function CaseList(props: { openId: string | undefined; onOpen: (id: string) => void }) {
  return (
    <FoundList<CaseRow>
      {...props}
      name="cases"
      words={words}
      read={async (query, signal) => {
        const { items, next_cursor } = await cases.listCases({ query, signal });
        return { items: items.map((item) => ({ ...item, id: item.case_id })), next_cursor };
      }}
      nameOf={({ id }) => words.caseName(id)}
      noteOf={({ packets, newest }) =>
        `${words.packets(formatCount(packets), packets === 1)}, ${formatDayAndTime(newest.created_at)}`
      }
    />
  );
}
