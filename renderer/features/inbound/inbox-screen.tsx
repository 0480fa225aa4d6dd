import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import type { List } from '../../api/lists/list.ts';
import { useCursor } from '../../parts/lists/list-cursor.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { useListSplit } from '../../parts/lists/list-split.tsx';
import { rowCount } from '../../parts/lists/list-table.tsx';
import { useBeginPages, useDrawAhead } from '../../parts/received/draw-ahead.ts';
import { useViewOptions } from '../../parts/received/view-options.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { WithActLines } from '../../parts/work/act-lines.tsx';
import type { ActKind } from '../../parts/work/acts.ts';
import { useReturnToRefused } from '../../parts/work/pending-actions.ts';
import { t } from '../../texts/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { INBOX_FILTER } from './filter.ts';
import { InboxPane } from './inbox-pane.tsx';
import styles from './inbox-screen.module.css';
import { useInboxList } from './use-inbox-list.ts';
import { FaxViewer } from './viewer/fax-viewer.tsx';

/** Width of the list, in px: a page that can be read has room beside it. */
const usualWidth = (width: number) => (width < 1_000 ? 288 : 336);

/** Shows the list of received faxes, and the pages and details of the one that is open. */
export function InboxScreen() {
  useScreenTitle(t.inbox.title);
  const { receivedId: faxId } = useParams({ from: '/framed/inbox/{-$receivedId}' });
  const filtering = useListFilter(INBOX_FILTER);
  const rows = useRef<VirtualRowsHandle>(null);
  const pageFrame = useRef<HTMLDivElement>(null);
  /** Opening a fax with Enter moves the focus to its pages. */
  const toPages = useRef(false);
  const list = useInboxList(filtering.filter);
  const [view, setView] = useViewOptions('inbox');
  useDrawAhead(faxId === undefined ? list.items : []);
  const show = useShow(list);
  const split = useListSplit('inbox', usualWidth);
  const count = rowCount(list);
  const words = t.ui.listKeys;
  const cursor = useCursor({ screen: t.inbox.title, words, list, count, openId: faxId, rows, show });
  const read = (index: number) => {
    toPages.current = true;
    cursor.open(index);
    if (list.at(index)?.id === faxId) pageFrame.current?.focus();
  };
  useReturnToRefused(({ inbound_fax_id }) => show(inbound_fax_id, true));
  const { chosen } = cursor;
  const undone = () => rows.current?.focus();
  /** After a fax was done or assigned, the next one is open already. The keyboard stands in the list. */
  const goOn = (kind: ActKind | null) => {
    rows.current?.focus();
    const isOver = kind === 'done' || kind === 'assign';
    if (isOver && chosen !== null && list.at(chosen + 1)) cursor.open(chosen + 1);
  };
  return (
    <WithActLines
      screen={t.inbox.title}
      isShown={({ inbound_fax_id }) => inbound_fax_id === faxId}
      onShow={({ inbound_fax_id }) => show(inbound_fax_id, faxId !== undefined)}
      onUndone={undone}
    >
      <div
        ref={split.ref}
        className={styles['screen']}
        style={split.style}
        data-open={faxId !== undefined || undefined}
      >
        <InboxPane {...{ list, count, filtering, rows, cursor }} openId={faxId} onRead={read} />
        {split.splitter}
        <div className={styles['viewer']}>
          {faxId === undefined ? (
            <EmptyState icon="file" title={t.inbox.nothingChosen}>
              {t.inbox.nothingChosenSentence}
            </EmptyState>
          ) : (
            <FaxViewer
              key={faxId}
              id={faxId}
              listed={chosen === null ? undefined : list.at(chosen)}
              next={chosen === null ? undefined : list.at(chosen + 1)}
              view={view}
              onView={setView}
              pageFrame={pageFrame}
              toPages={toPages}
              onClose={cursor.close}
              onActed={goOn}
            />
          )}
        </div>
      </div>
    </WithActLines>
  );
}

/** Opens a fax beside the list, or none; the filter stays. */
function useShow(list: List<InboundFax>) {
  const navigate = useNavigate();
  const beginPages = useBeginPages();
  return (faxId: string | undefined, replace = false) => {
    const index = faxId === undefined ? null : list.indexOf(faxId);
    if (index !== null) beginPages(list.at(index));
    void navigate({ to: '/inbox/{-$receivedId}', params: { receivedId: faxId }, search: true, replace });
  };
}
