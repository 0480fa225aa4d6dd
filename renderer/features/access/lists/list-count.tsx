import type { Listed } from '../../../api/lists/list.ts';
import { t } from '../../../texts/access.ts';
import { formatCount } from '../../../ui/format.ts';
import type { AccessRows } from './access-rows.ts';

/** Shows the number of rows loaded so far. */
export function ListCount({ list }: { list: AccessRows<Listed> }) {
  if (list.isOpening) return null;
  const count = formatCount(list.items.length);
  return <span role="status">{list.isWhole ? count : t.access.countMore(count)}</span>;
}
