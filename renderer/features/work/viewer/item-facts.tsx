import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { inboundQuery } from '../../../api/inbound.ts';
import { openedAddress } from '../../../api/page-token.ts';
import { usePermission } from '../../../api/queries.ts';
import type { WorkItem } from '../../../api/work.ts';
import { AboutReceived } from '../../../parts/received/about-received.tsx';
import { OriginalPart } from '../../../parts/received/original.tsx';
import { useScrollKeys } from '../../../parts/use-scroll-keys.ts';
import { WorkHistory } from '../../../parts/work/work-history.tsx';
import { t } from '../../../texts/work.ts';
import { DownloadLink } from '../../../ui/download-link.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatCount, formatFully, formatMoment, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { PaneBody } from '../../../ui/pane.tsx';
import styles from './item-viewer.module.css';

/** Shows the details of the item and its history. */
export function ItemFacts({ item }: { item: WorkItem }) {
  const phone = usePhoneFormat();
  const body = useRef<HTMLDivElement>(null);
  useScrollKeys(t.ui.pages.title, body);
  const words = t.work.facts;
  // An item whose fax was in Junk first is younger than the fax.
  const fax = useQuery(inboundQuery(item.inbound_fax_id)).data;
  const received = fax?.received_at ?? item.available_at;
  const mayExport = usePermission('work:export');
  return (
    <PaneBody ref={body} label={t.inbox.viewer.details}>
      <div className={styles['facts']}>
        <FactList wordWidth={112}>
          <Fact name={words.received}>
            <span title={formatFully(received)}>{formatWhen(received)}</span>
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
      {fax && <AboutReceived fax={fax} />}
      {fax && <OriginalPart fax={fax} className={styles['facts']} />}
      <WorkHistory id={item.id} title={t.work.history} />
    </PaneBody>
  );
}
