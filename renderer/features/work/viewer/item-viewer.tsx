import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { inboundQuery } from '../../../api/inbound.ts';
import { usePermission } from '../../../api/queries.ts';
import { isStatus } from '../../../api/sentence.ts';
import { type WorkItem, workQuery } from '../../../api/work.ts';
import { JunkNotice } from '../../../parts/junk/junk-notice.tsx';
import { SenderMenu } from '../../../parts/junk/sender-menu.tsx';
import { NoDetails } from '../../../parts/lists/no-details.tsx';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { PeopleHere } from '../../../parts/presence/people-here.tsx';
import { AnswerButtons } from '../../../parts/received/answer-buttons.tsx';
import { FaxPages } from '../../../parts/received/fax-pages.tsx';
import { MissingPages } from '../../../parts/received/missing-pages.tsx';
import { OriginalNotice } from '../../../parts/received/original.tsx';
import { AccessRemoved, UnavailableFax } from '../../../parts/received/unavailable-fax.tsx';
import { useOpenable } from '../../../parts/received/use-openable.ts';
import { useReadMark } from '../../../parts/received/use-read-mark.ts';
import type { ViewProps } from '../../../parts/received/view-options.ts';
import { ItemBar } from '../../../parts/work/item-bar.tsx';
import { ItemNotices } from '../../../parts/work/item-notices.tsx';
import { NoteField } from '../../../parts/work/note-field.tsx';
import type { Triage } from '../../../parts/work/use-triage.ts';
import { senderWord } from '../../../parts/work/use-work-actions.ts';
import { t } from '../../../texts/work.ts';
import { IconButton } from '../../../ui/button.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { ItemFacts } from './item-facts.tsx';
import styles from './item-viewer.module.css';

interface ItemViewerProps extends ViewProps {
  readonly id: string;
  /** Row of the list, shown at once while the item loads. */
  readonly listed: WorkItem | undefined;
  /** The fax that is read next, so that it is there at once. */
  readonly nextFaxId: string | undefined;
  readonly triage: Triage;
  readonly onClose: () => void;
  /** Its fax went to Junk, or came back. */
  readonly onJunk: () => void;
}

/**
 * One work item: its fax, how it stands, and what can be done with it. The next one takes its place, so that only what differs
 * is drawn; parts with a state of their own have the id of their item as key.
 */
export function ItemViewer(props: ItemViewerProps) {
  const { id, listed, onClose } = props;
  const item = useQuery(workQuery(id));
  const isGone = isStatus(item.error, 403, 404);
  const isRemoved = isGone && (item.data ?? listed) !== undefined;
  const shown = isGone ? undefined : (listed ?? item.data);
  if (shown) return <Viewer {...props} item={shown} ownerCanSee={item.data?.owner_can_see ?? null} />;
  const words = { ...t.work.viewer, back: t.work.viewer.close, ...(isRemoved && t.inbox.accessRemoved) };
  return (
    <NoDetails
      error={item.error}
      wasHere={isRemoved}
      words={words}
      retry={() => void item.refetch()}
      onClose={onClose}
    />
  );
}

function Viewer(props: ItemViewerProps & { item: WorkItem; ownerCanSee: boolean | null }) {
  const { item, triage, view, onView } = props;
  const isDetailed = view.drawer ?? false;
  return (
    <section className={styles['viewer']} aria-label={t.work.viewer.label}>
      <Head {...props} isDetailed={isDetailed} onDetails={() => onView({ ...view, drawer: !isDetailed })} />
      <Junk item={item} onJunk={props.onJunk} />
      <ItemBar item={item} triage={triage} />
      <ItemNotices key={`notices ${item.id}`} item={item} ownerCanSee={props.ownerCanSee} />
      <MissingPages fax={{ id: item.inbound_fax_id, problem: item.problem, from: item.from_number }} />
      <Original item={item} />
      {isDetailed ? <ItemFacts key={`facts ${item.id}`} item={item} /> : <Pages {...props} />}
      {(triage.form === 'note' || triage.can('done')) && (
        <div className={styles['note']}>
          <NoteField kind={triage.form === 'note' ? 'note' : 'done'} items={[item]} triage={triage} />
        </div>
      )}
    </section>
  );
}

function Head(
  props: Pick<ItemViewerProps, 'onClose' | 'onJunk'> & {
    item: WorkItem;
    isDetailed: boolean;
    onDetails: () => void;
  },
) {
  const { item, isDetailed, onDetails, onClose } = props;
  const phone = usePhoneFormat();
  const navigate = useNavigate();
  const mayList = usePermission('inbound:list');
  const sender = senderWord(item, phone);
  const fax = useQuery(inboundQuery(item.inbound_fax_id)).data;
  const open = () =>
    void navigate({ to: '/inbox/{-$receivedId}', params: { receivedId: item.inbound_fax_id } });
  return (
    <header className={styles['head']}>
      <IconButton icon="back" label={t.work.viewer.close} onPress={onClose} />
      <h2 className={styles['title']} title={sender}>
        {sender}
      </h2>
      <PeopleHere faxId={item.inbound_fax_id} />
      {fax && <AnswerButtons fax={fax} />}
      {fax && <SenderMenu fax={fax} onActed={props.onJunk} />}
      {mayList && <IconButton icon="inbox" label={t.work.viewer.openInInbox} onPress={open} />}
      <IconButton icon="panel" label={t.inbox.viewer.details} isOn={isDetailed} onPress={onDetails} />
    </header>
  );
}

/** Above an item whose fax is in Junk. */
function Junk({ item, onJunk }: { item: WorkItem; onJunk: () => void }) {
  const fax = useQuery(inboundQuery(item.inbound_fax_id)).data;
  return fax ? <JunkNotice key={fax.id} fax={fax} onActed={onJunk} /> : null;
}

/** Above the pages that carry a document. */
function Original({ item }: { item: WorkItem }) {
  const fax = useQuery(inboundQuery(item.inbound_fax_id)).data;
  return fax ? <OriginalNotice key={`original ${fax.id}`} fax={fax} /> : null;
}

/** The pages, or why they are not here. */
function Pages({ item, nextFaxId, view, onView }: ItemViewerProps & { item: WorkItem }) {
  const asked = useQuery(inboundQuery(item.inbound_fax_id));
  const next = useQuery({ ...inboundQuery(nextFaxId ?? ''), enabled: nextFaxId !== undefined }).data;
  const fax = asked.data;
  if (fax && isStatus(asked.error, 403, 404)) return <AccessRemoved title={t.inbox.accessRemoved.gone} />;
  if (!fax)
    return (
      <div className={styles['pages']}>
        <LoadProblem of={asked} />
      </div>
    );
  return <FaxOf key={fax.id} {...{ fax, next, view, onView }} />;
}

function FaxOf(
  props: ViewProps & {
    fax: Parameters<typeof useReadMark>[0];
    next: Parameters<typeof useReadMark>[0] | undefined;
  },
) {
  const { fax } = props;
  const mark = useReadMark(fax);
  const pageFrame = useRef<HTMLDivElement>(null);
  const toPages = useRef(false);
  const { isHere, wasHere } = useOpenable(fax);
  if (!isHere) return <UnavailableFax fax={fax} wasHere={wasHere} />;
  return <FaxPages {...props} pageFrame={pageFrame} toPages={toPages} onAct={mark.acted} />;
}
