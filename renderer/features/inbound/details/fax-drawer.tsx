import type { InboundFax } from '../../../api/inbound.ts';
import { OpenedBy } from '../../../parts/opened-by/opened-by.tsx';
import { t } from '../../../texts/index.ts';
import { formatCount, formatMoment } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../../ui/pane.tsx';
import type { ReadMark } from '../viewer/use-read-mark.ts';
import { Facts } from './facts.tsx';
import styles from './fax-drawer.module.css';
import { History } from './history.tsx';
import { MoveFax } from './move-fax.tsx';
import { ReadState } from './read-state.tsx';

/** What is known of a received fax, and how. */
export function FaxDrawer({ fax, mark }: { fax: InboundFax; mark: ReadMark }) {
  const words = t.inbox.details;
  return (
    <Pane as="aside" label={words.label}>
      <PaneHead title={words.label} />
      <PaneBody label={words.label}>
        <div className={styles['top']}>
          <Status fax={fax} />
          {fax.conflicts > 0 && (
            <Notice tone="warn" title={words.conflicts}>
              {words.conflictsSentence}
            </Notice>
          )}
        </div>
        {fax.status === 'received' && <ReadState fax={fax} mark={mark} />}
        <MoveFax key={fax.id} fax={fax} />
        <Facts fax={fax} />
        <History id={fax.id} />
        <OpenedBy key={fax.id} faxId={fax.id} className={styles['section']} />
      </PaneBody>
    </Pane>
  );
}

/** How it stands, in a sentence. */
function Status({ fax }: { fax: InboundFax }) {
  const words = t.inbox.details;
  if (fax.status === 'failed')
    return (
      <Notice tone="danger" title={words.failed}>
        {words.announcementKept}
      </Notice>
    );
  if (fax.status === 'waiting')
    return (
      <Notice
        tone="go"
        icon="download"
        title={fax.retry_at === null ? words.fetching : words.waiting(formatMoment(fax.retry_at))}
      >
        {words.announcementKept}
      </Notice>
    );
  if (!fax.document_kept) return <Notice tone="plain" title={words.removed} />;
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
