import { type Ref, useCallback, useMemo } from 'react';
import { useMe } from '../../api/queries.ts';
import { t } from '../../texts/sent.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { VirtualRows, type VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import type { FaxList } from './fax-list.ts';
import { SentRow } from './sent-row.tsx';
import styles from './sent-table.module.css';

const ROW = 40;
/** Rows beyond those in sight that are loaded ahead. */
const AHEAD = 60;

/** The faxes of the list as a table, as long as the whole list even while parts of it are not here. */
export function SentTable(props: {
  list: FaxList;
  /** Of the whole list, where it is known. */
  total: number | null;
  active: number | null;
  chosen: number | null;
  isBusy: boolean;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
  ref: Ref<VirtualRowsHandle>;
}) {
  const { list, total } = props;
  const meId = useMe()?.principal.id ?? '';
  const format = usePhoneFormat();
  const phone = useMemo(() => remembering(format), [format]);
  const onVisible = useCallback((_first: number, last: number) => list.want(last + AHEAD), [list]);
  const withContacts = list.some(({ contact }) => contact !== null);
  const row = (index: number) => {
    const fax = list.at(index);
    return fax ? <SentRow fax={fax} meId={meId} phone={phone} withContacts={withContacts} /> : <WaitingRow />;
  };
  return (
    <VirtualRows
      ref={props.ref}
      label={t.sent.list}
      count={rowCount(list, total)}
      rowHeight={ROW}
      rowClassName={styles['cells']}
      head={<Heads withContacts={withContacts} />}
      active={props.active}
      chosen={props.chosen}
      isBusy={props.isBusy}
      onActive={props.onActive}
      onOpen={props.onOpen}
      onVisible={onVisible}
      row={row}
    />
  );
}

/** Grouping a number takes longer than drawing its row, and the same numbers come again and again. */
function remembering(format: (number: string) => string): (number: string) => string {
  const known = new Map<string, string>();
  return (number) => {
    const text = known.get(number) ?? format(number);
    known.set(number, text);
    return text;
  };
}

/** Without a known total a few waiting rows say that more will come. */
export function rowCount(list: FaxList, total: number | null): number {
  if (list.isWhole) return list.size;
  return Math.max(total ?? 0, list.size + 1);
}

function Heads({ withContacts }: { withContacts: boolean }) {
  const words = t.sent.columns;
  const end = styles['end'] ?? '';
  const heads: [string, string][] = [
    [words.state, ''],
    [words.to, ''],
    [withContacts ? words.number : words.document, styles['wide'] ?? ''],
    [words.pages, `${end} ${styles['medium']}`],
    [words.sent, end],
    [words.by, styles['wide'] ?? ''],
    [words.cost, `${end} ${styles['medium']}`],
  ];
  return heads.map(([word, place]) => (
    <span key={word} role="columnheader" className={`${styles['head']} ${place}`}>
      {word}
    </span>
  ));
}

function WaitingRow() {
  return (
    <span role="gridcell" className={styles['waiting']}>
      <span className="visually-hidden">{t.sent.loadingRow}</span>
    </span>
  );
}
