import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { type InboundFax, inboundQuery } from '../../../api/inbound.ts';
import { isStatus } from '../../../api/sentence.ts';
import { JunkNotice } from '../../../parts/junk/junk-notice.tsx';
import { SenderMenu } from '../../../parts/junk/sender-menu.tsx';
import { NoDetails } from '../../../parts/lists/no-details.tsx';
import { PeopleHere } from '../../../parts/presence/people-here.tsx';
import { AnswerButtons } from '../../../parts/received/answer-buttons.tsx';
import { FaxPages } from '../../../parts/received/fax-pages.tsx';
import { pagesOf, senderOf } from '../../../parts/received/fax-words.ts';
import { MissingPages } from '../../../parts/received/missing-pages.tsx';
import { OriginalNotice } from '../../../parts/received/original.tsx';
import styles from '../../../parts/received/received-fax.module.css';
import { UnavailableFax } from '../../../parts/received/unavailable-fax.tsx';
import { useOpenable } from '../../../parts/received/use-openable.ts';
import { useReadMark } from '../../../parts/received/use-read-mark.ts';
import { useDrawerLayout } from '../../../parts/received/use-wide-layout.ts';
import type { ViewProps } from '../../../parts/received/view-options.ts';
import type { ActKind } from '../../../parts/work/acts.ts';
import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { FaxDrawer } from '../details/fax-drawer.tsx';
import { useUnreadKey } from '../details/read-state.tsx';
import { FaxWorkItem } from './fax-work-item.tsx';

interface FaxViewerProps extends ViewProps {
  readonly id: string;
  /** Row of the list, shown at once while the fax loads. */
  readonly listed: InboundFax | undefined;
  /** Fax to read next; it is loaded ahead. */
  readonly next: InboundFax | undefined;
  readonly pageFrame: RefObject<HTMLDivElement | null>;
  /** True once: the pages take the focus. */
  readonly toPages: RefObject<boolean>;
  readonly onClose: () => void;
  /** Something was done with its work item; null where a form was left. */
  readonly onActed: (kind: ActKind | null) => void;
}

/** One received fax: its pages, or why they are not here, and the details beside them. */
export function FaxViewer(props: FaxViewerProps) {
  const fax = useQuery({ ...inboundQuery(props.id), placeholderData: props.listed });
  const isGone = isStatus(fax.error, 403, 404);
  if (fax.data && !isGone) return <Viewer {...props} fax={fax.data} />;
  const words = { ...t.inbox.viewer, back: t.inbox.viewer.close, ...(fax.data && t.inbox.accessRemoved) };
  return (
    <NoDetails
      error={fax.error}
      wasHere={fax.data !== undefined}
      words={words}
      retry={() => void fax.refetch()}
      onClose={props.onClose}
    />
  );
}

function Viewer(props: FaxViewerProps & { fax: InboundFax }) {
  const { fax, view, onView, onClose } = props;
  const isRoomy = useDrawerLayout();
  const mark = useReadMark(fax);
  useUnreadKey(fax, mark);
  const isDrawerOpen = view.drawer ?? isRoomy;
  const toggle = () => onView({ ...view, drawer: !isDrawerOpen });
  const { isHere, wasHere } = useOpenable(fax);
  return (
    <div className={styles['viewer']}>
      <section className={styles['fax']} aria-label={t.inbox.viewer.label}>
        <FaxHead {...{ fax, isDrawerOpen, onClose }} onDrawer={toggle} onJunk={() => props.onActed('done')} />
        <JunkNotice fax={fax} onActed={() => props.onActed('done')} />
        {fax.status === 'received' && (
          <MissingPages fax={{ id: fax.id, problem: fax.problem, from: fax.fr }} />
        )}
        <OriginalNotice key={fax.id} fax={fax} />
        <FaxWorkItem fax={fax} onActed={props.onActed}>
          {isHere ? (
            <FaxPages {...props} onAct={mark.acted} />
          ) : (
            <UnavailableFax fax={fax} wasHere={wasHere} />
          )}
        </FaxWorkItem>
      </section>
      {isDrawerOpen && (
        <div className={styles['drawer']}>
          <FaxDrawer fax={fax} mark={mark} />
        </div>
      )}
    </div>
  );
}

/** From whom, and in one line how much, when and where it belongs. */
function FaxHead(props: {
  fax: InboundFax;
  isDrawerOpen: boolean;
  onDrawer: () => void;
  onClose: () => void;
  /** It went to Junk, or came back. */
  onJunk: () => void;
}) {
  const { fax, isDrawerOpen, onDrawer, onClose } = props;
  const phone = usePhoneFormat();
  const words = t.inbox.viewer;
  const when = formatWhen(fax.received_at);
  const facts = [
    fax.contact && phone(fax.fr),
    pagesOf(fax),
    fax.status === 'received' ? words.received(when) : words.announced(when),
    fax.mailbox,
  ].filter((it) => it !== null);
  return (
    <header className={styles['head']}>
      <span className={styles['back']}>
        <IconButton icon="back" label={words.close} onPress={onClose} />
      </span>
      <div className={styles['names']}>
        <h2 className={styles['title']}>{senderOf(fax, phone)}</h2>
        <p className={styles['facts']} title={facts.join(' · ')}>
          {facts.join(' · ')}
        </p>
      </div>
      <PeopleHere faxId={fax.id} />
      <AnswerButtons fax={fax} />
      <SenderMenu fax={fax} onActed={props.onJunk} />
      <IconButton icon="panel" label={words.details} isOn={isDrawerOpen} onPress={onDrawer} />
    </header>
  );
}
