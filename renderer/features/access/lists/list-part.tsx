import type { ReactNode } from 'react';
import type { Listed } from '../../../api/lists/list.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import type { AccessPart } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
import { AccessList } from './access-list.tsx';
import type { AccessRows } from './access-rows.ts';
import { openDetails } from './open-details.tsx';
import { PartPanes } from './part-panes.tsx';

/** A part of Access whose details come from its list: title with the actions, what stands above the list, the list, and its open row. */
export function ListPart<Row extends Listed>(props: {
  part: AccessPart;
  /** ID of the open row. */
  id: string | undefined;
  title: string;
  count?: ReactNode;
  actions?: ReactNode;
  /** Filters, sentences and notices above the list. */
  above?: ReactNode;
  rows: AccessRows<Row>;
  /** Names of the list and of its details, for screen readers. */
  labels: { readonly list: string; readonly details: string };
  columns: readonly Column<Row>[];
  /** The layout of the columns. */
  rowClassName: string | undefined;
  /** In place of rows where there are none. */
  empty: ReactNode;
  /** In place of the list where the person may not see it. */
  instead?: ReactNode;
  details: (row: Row, onClose: () => void) => ReactNode;
  /** Dialogs. */
  children?: ReactNode;
}) {
  const { part, id, title, count, actions, above, rows, labels, columns, rowClassName, empty, children } =
    props;
  const show = useOpenDetails(part);
  const onClose = () => show(undefined);
  return (
    <PartPanes
      title={title}
      count={count}
      actions={actions}
      details={openDetails({ id, pages: rows, label: labels.details, onClose }, (row) =>
        props.details(row, onClose),
      )}
    >
      {above}
      {props.instead ?? (
        <AccessList
          label={labels.list}
          list={rows}
          columns={columns}
          rowClassName={rowClassName}
          openId={id}
          onShow={show}
          empty={empty}
        />
      )}
      {children}
    </PartPanes>
  );
}
