import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InboundFax } from '../../../api/inbound.ts';
import { newest } from '../../../api/newest.ts';
import { usePermission } from '../../../api/queries.ts';
import { workQuery, workRowQuery } from '../../../api/work.ts';
import type { ActKind } from '../../../parts/work/acts.ts';
import { ItemBar } from '../../../parts/work/item-bar.tsx';
import { ItemNotices } from '../../../parts/work/item-notices.tsx';
import { NoteField } from '../../../parts/work/note-field.tsx';
import { useTriage } from '../../../parts/work/use-triage.ts';
import { t } from '../../../texts/work.ts';
import styles from './work-of-fax.module.css';

/** Around the pages: how the work item of the fax stands, and what can be done with it. */
export function FaxWorkItem(props: {
  fax: InboundFax;
  onActed: (kind: ActKind | null) => void;
  /** The pages. */
  children: ReactNode;
}) {
  const { fax, onActed, children } = props;
  const enabled = usePermission('work:read') && fax.work_item_id !== null;
  const id = fax.work_item_id ?? '';
  const asked = useQuery({ ...workQuery(id), enabled }).data;
  // The row of the list is loaded already.
  const listed = useQuery({ ...workRowQuery(id), enabled }).data;
  const item = enabled ? (asked && listed ? newest(asked, listed) : (asked ?? listed)) : undefined;
  const triage = useTriage({
    screen: t.work.keys.thisItem,
    items: item ? [item] : [],
    advance: (act) => onActed(act?.kind ?? null),
  });
  return (
    <>
      {item && <ItemBar item={item} triage={triage} />}
      {item && <ItemNotices item={item} ownerCanSee={asked?.owner_can_see ?? null} />}
      {children}
      {item && (triage.form === 'done' || triage.form === 'note') && (
        <div className={styles['note']}>
          <NoteField kind={triage.form} items={[item]} triage={triage} />
        </div>
      )}
    </>
  );
}
