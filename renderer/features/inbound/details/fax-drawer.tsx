import { useQuery } from '@tanstack/react-query';
import { evidenceQuery, type InboundFax } from '../../../api/inbound.ts';
import { usePermission } from '../../../api/queries.ts';
import { HistoryPart } from '../../../parts/history-part.tsx';
import { EVIDENCE_SIGNS } from '../../../parts/history-signs.ts';
import { OpenedBy } from '../../../parts/opened-by/opened-by.tsx';
import { AboutReceived } from '../../../parts/received/about-received.tsx';
import { useSourceName } from '../../../parts/received/fax-words.ts';
import { OriginalPart } from '../../../parts/received/original.tsx';
import type { ReadMark } from '../../../parts/received/use-read-mark.ts';
import { WorkHistory } from '../../../parts/work/work-history.tsx';
import { t } from '../../../texts/work.ts';
import { formatCount, formatMoment } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../../ui/pane.tsx';
import { AnsweredPart } from './answered-part.tsx';
import { Facts } from './facts.tsx';
import styles from './fax-drawer.module.css';
import { MailPart } from './mail-part.tsx';
import { MoveFax } from './move-fax.tsx';
import { PrintedPart } from './printed-part.tsx';
import { ReadState } from './read-state.tsx';

/** Drawer with the details of a received fax and its evidence. */
export function FaxDrawer({ fax, mark }: { fax: InboundFax; mark: ReadMark }) {
  const words = t.inbox.details;
  const mayWork = usePermission('work:read');
  const mayReadMail = usePermission('mailboxes:read');
  const mayRead = usePermission('inbound:read');
  return (
    <Pane as="aside" label={words.label}>
      <PaneHead title={words.label} />
      <PaneBody label={words.label}>
        <div className={styles['top']}>
          <Status fax={fax} />
          {fax.conflicts > 0 && (
            <Notice tone="warn" title={fax.source_system === null ? words.conflicts : words.importConflicts}>
              {fax.source_system === null ? words.conflictsSentence : words.importConflictsSentence}
            </Notice>
          )}
        </div>
        {fax.status === 'received' && <ReadState fax={fax} mark={mark} />}
        <AboutReceived fax={fax} />
        <AnsweredPart fax={fax} />
        <MoveFax key={fax.id} fax={fax} />
        {mayReadMail && fax.status === 'received' && <MailPart key={fax.id} faxId={fax.id} />}
        {mayRead && fax.status === 'received' && <PrintedPart key={`paper ${fax.id}`} faxId={fax.id} />}
        <OriginalPart key={`original ${fax.id}`} fax={fax} className={styles['section']} />
        <Facts fax={fax} />
        <History id={fax.id} />
        {mayWork && fax.work_item_id !== null && (
          <WorkHistory id={fax.work_item_id} title={t.work.itemHistory} />
        )}
        <OpenedBy key={fax.id} faxId={fax.id} className={styles['section']} />
      </PaneBody>
    </Pane>
  );
}

/** Shows the state of the fax in a sentence. */
function Status({ fax }: { fax: InboundFax }) {
  const words = t.inbox.details;
  const source = useSourceName()(fax);
  if (fax.status === 'failed')
    return (
      <Notice tone="danger" title={words.failed}>
        {words.announcementKept(source)}
      </Notice>
    );
  if (fax.status === 'waiting')
    return (
      <Notice
        tone="go"
        icon="download"
        title={fax.retry_at === null ? words.fetching : words.waiting(formatMoment(fax.retry_at))}
      >
        {words.announcementKept(source)}
      </Notice>
    );
  if (!fax.document_kept) return <Notice tone="plain" title={words.removed} />;
  if (fax.problem !== null)
    return (
      <Notice tone="warn" title={fax.problem}>
        {words.kept}
      </Notice>
    );
  return (
    <Notice
      tone="ok"
      icon="shield"
      title={fax.pages === null ? fax.status_text : words.allHere(formatCount(fax.pages), fax.pages === 1)}
    >
      {words.kept}
    </Notice>
  );
}

/** Shows the reports about the fax and the actions on it. */
function History({ id }: { id: string }) {
  const evidence = useQuery(evidenceQuery(id));
  const words = t.inbox.details;
  const entries = (evidence.data?.items ?? []).map((item) => ({
    occurredAt: item.occurred_at,
    sign: EVIDENCE_SIGNS[item.kind],
    text: item.text,
    by: words.actor(item.actor),
  }));
  return (
    <HistoryPart
      title={words.history}
      brokeTitle={words.historyBroke}
      of={evidence}
      entries={entries}
      timeWidth={60}
    />
  );
}
