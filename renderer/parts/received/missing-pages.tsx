import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './received-fax.module.css';

interface ReceivedPages {
  readonly id: string;
  /** Sentence about the missing pages; null when all arrived. */
  readonly problem: string | null;
  /** E.164; null or `Unknown` while it is unknown. */
  readonly from: string | null;
}

/** Warns above the pages of an incomplete fax, with a button that asks the sender to send it again. */
export function MissingPages({ fax: { id, problem, from } }: { fax: ReceivedPages }) {
  const maySend = usePermission('fax:send');
  const navigate = useNavigate();
  const whyId = useId();
  const words = t.inbox.missing;
  if (problem === null) return null;
  const to = from === null || from === UNKNOWN_NUMBER ? null : from;
  const askSender = () => to !== null && void navigate({ to: '/send', search: { to, again: id } });
  const button = (
    <Button
      icon="send"
      isDisabled={to === null}
      {...(to === null ? { 'aria-describedby': whyId } : {})}
      onPress={askSender}
    >
      {words.ask}
    </Button>
  );
  return (
    <div className={styles['problem']}>
      <Notice tone="warn" title={problem} action={maySend && button}>
        {maySend && to === null && <p id={whyId}>{words.noNumber}</p>}
      </Notice>
    </div>
  );
}
