import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useReceives } from '../../api/inbound.ts';
import { useCursor } from '../../parts/lists/list-cursor.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { rowCount } from '../../parts/lists/list-table.tsx';
import type { Zoom } from '../../parts/pages/zoom.tsx';
import { t } from '../../texts/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { INBOX_FILTER } from './filter.ts';
import { InboxPane } from './inbox-pane.tsx';
import styles from './inbox-screen.module.css';
import { ReceivingOff } from './list-state.tsx';
import { useInboxList } from './use-inbox-list.ts';
import { FaxViewer } from './viewer/fax-viewer.tsx';
import type { ViewOptions } from './viewer/view-options.ts';

const FIRST_VIEW: ViewOptions = { zoom: 'page' satisfies Zoom, withThumbs: true, drawer: null };

/** What was received: the list, the pages of the fax that is open, and what is known of it. */
export function InboxScreen() {
  const isOn = useReceives();
  if (isOn === false) return <ReceivingOff />;
  return <Inbox isOn={isOn === true} />;
}

function Inbox({ isOn }: { isOn: boolean }) {
  const { faxId } = useParams({ strict: false });
  const filtering = useListFilter(INBOX_FILTER);
  const rows = useRef<VirtualRowsHandle>(null);
  const pageFrame = useRef<HTMLDivElement>(null);
  /** Who opens with Enter goes on with the pages. */
  const toPages = useRef(false);
  const list = useInboxList(filtering.filter, isOn);
  const [view, setView] = useState(FIRST_VIEW);
  const show = useShow();
  const count = rowCount(list);
  const words = t.ui.listKeys;
  const cursor = useCursor({ screen: t.inbox.title, words, list, count, openId: faxId, rows, show });
  const read = (index: number) => {
    toPages.current = true;
    cursor.open(index);
    if (list.at(index)?.id === faxId) pageFrame.current?.focus();
  };
  const { chosen } = cursor;
  return (
    <div className={styles['screen']} data-open={faxId !== undefined || undefined}>
      <InboxPane {...{ list, count, filtering, rows, cursor }} onRead={read} />
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
          />
        )}
      </div>
    </div>
  );
}

/** Opens a fax beside the list, or none; the filter stays. */
function useShow() {
  const navigate = useNavigate();
  return (faxId: string | undefined, replace = false) =>
    void navigate({ to: '/inbox/{-$faxId}', params: { faxId }, search: true, replace });
}
