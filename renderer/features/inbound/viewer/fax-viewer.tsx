import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { type InboundFax, inboundQuery } from '../../../api/inbound.ts';
import { usePermission } from '../../../api/queries.ts';
import { isStatus, sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FaxDrawer } from '../details/fax-drawer.tsx';
import { useUnreadKey } from '../details/read-state.tsx';
import { FaxHead } from './fax-head.tsx';
import { FaxPages } from './fax-pages.tsx';
import styles from './fax-viewer.module.css';
import { NotHere } from './not-here.tsx';
import { useReadMark } from './use-read-mark.ts';
import { useRoomy } from './use-roomy.ts';
import type { ViewProps } from './view-options.ts';

export interface FaxViewerProps extends ViewProps {
  readonly id: string;
  /** What the list knows of it, so that it is shown at once. */
  readonly listed: InboundFax | undefined;
  /** What is read next, so that it is there at once. */
  readonly next: InboundFax | undefined;
  readonly pageFrame: RefObject<HTMLDivElement | null>;
  /** True once: the pages take the focus. */
  readonly toPages: RefObject<boolean>;
  readonly onClose: () => void;
}

/** One received fax: its pages, or why they are not here, and the details beside them. */
export function FaxViewer(props: FaxViewerProps) {
  const fax = useQuery({ ...inboundQuery(props.id), placeholderData: props.listed });
  if (fax.data) return <Viewer {...props} fax={fax.data} />;
  const back = <Button onPress={props.onClose}>{t.inbox.viewer.close}</Button>;
  if (!fax.error) return <p className={styles['busy']}>{t.ui.loading}</p>;
  if (isStatus(fax.error, 404))
    return (
      <EmptyState icon="search" title={t.inbox.viewer.gone} action={back}>
        {t.inbox.viewer.goneSentence}
      </EmptyState>
    );
  const again = <Button onPress={() => void fax.refetch()}>{t.ui.tryAgain}</Button>;
  return <EmptyState icon="alert" title={sentenceOf(fax.error)} action={again} />;
}

function Viewer(props: FaxViewerProps & { fax: InboundFax }) {
  const { fax, view, onView, onClose } = props;
  const isRoomy = useRoomy();
  const mayOpen = usePermission('inbound:document');
  const mark = useReadMark(fax, mayOpen);
  useUnreadKey(fax, mark);
  const isDrawerOpen = view.drawer ?? isRoomy;
  const toggle = () => onView({ ...view, drawer: !isDrawerOpen });
  const isHere = fax.status === 'received' && fax.document_kept && mayOpen;
  return (
    <div className={styles['viewer']}>
      <section className={styles['fax']} aria-label={t.inbox.viewer.label}>
        <FaxHead fax={fax} isDrawerOpen={isDrawerOpen} onDrawer={toggle} onClose={onClose} />
        {isHere ? <FaxPages {...props} /> : <NotHere fax={fax} mayOpen={mayOpen} />}
      </section>
      {isDrawerOpen && (
        <div className={styles['drawer']}>
          <FaxDrawer fax={fax} mark={mark} />
        </div>
      )}
    </div>
  );
}
