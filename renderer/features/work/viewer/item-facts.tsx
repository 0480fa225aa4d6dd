import { useNavigate } from '@tanstack/react-router';
import { openedAddress } from '../../../api/page-token.ts';
import { usePermission } from '../../../api/queries.ts';
import type { WorkItem } from '../../../api/work.ts';
import { WorkHistory } from '../../../parts/work/work-history.tsx';
import { t } from '../../../texts/work.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadLink } from '../../../ui/download-link.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatCount, formatFully, formatMoment, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { PaneBody } from '../../../ui/pane.tsx';
import styles from './item-viewer.module.css';

/** Shows the details of the item and its history. */
export function ItemFacts({ item, ownerCanSee }: { item: WorkItem; ownerCanSee: boolean | null }) {
  const phone = usePhoneFormat();
  const words = t.work.facts;
  const mayExport = usePermission('work:export');
  return (
    <PaneBody label={t.inbox.viewer.details}>
      <div className={styles['facts']}>
        {ownerCanSee === false && <Notice tone="warn" isLive title={t.work.ownerLostAccess} />}
        <Duplicate item={item} />
        <FactList wordWidth={112}>
          <Fact name={words.received}>
            <span title={formatFully(item.available_at)}>{formatWhen(item.available_at)}</span>
          </Fact>
          <Fact name={words.called}>
            {item.to_number === null ? t.inbox.unknownNumber : phone(item.to_number)}
          </Fact>
          <Fact name={words.mailbox}>{item.mailbox ?? words.none}</Fact>
          <Fact name={words.pages}>{formatCount(item.pages)}</Fact>
          <Fact name={words.due}>{item.due_at === null ? words.noTarget : formatMoment(item.due_at)}</Fact>
          <Fact name={words.backup}>{item.backup?.name ?? words.none}</Fact>
          {item.acknowledged_by !== null && item.acknowledged_at !== null && (
            <Fact name={words.acknowledged}>
              {words.by(item.acknowledged_by, formatWhen(item.acknowledged_at))}
            </Fact>
          )}
        </FactList>
        {mayExport && (
          <div>
            <DownloadLink href={openedAddress(`/work/${item.id}/export`)}>{t.work.export}</DownloadLink>
          </div>
        )}
      </div>
      <WorkHistory id={item.id} title={t.work.history} />
    </PaneBody>
  );
}

/**
 * Notes that the same document came before. Both items are to be done, and a person who sees one of them twice should
 * know.
 */
function Duplicate({ item: { duplicate_of } }: { item: WorkItem }) {
  const navigate = useNavigate();
  if (duplicate_of === null) return null;
  const show = () =>
    void navigate({ to: '/work/{-$workId}', params: { workId: duplicate_of.id }, search: true });
  return (
    <Notice
      tone="plain"
      icon="copy"
      title={t.work.duplicate(formatWhen(duplicate_of.available_at))}
      action={<Button onPress={show}>{t.work.showFirst}</Button>}
    />
  );
}
