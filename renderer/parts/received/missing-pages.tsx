import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './received-fax.module.css';

interface IncompleteFax {
  readonly id: string;
  /** Sentence on how many pages arrived; null when all did. */
  readonly problem: string | null;
  /** E.164; null or `Unknown` while it is unknown. */
  readonly from: string | null;
}

/** Above the pages of a fax that may not be whole: how many came, and how to have it again. Nothing for a whole one. */
export function MissingPages({ fax: { id, problem, from } }: { fax: IncompleteFax }) {
  const maySend = usePermission('fax:send');
  const navigate = useNavigate();
  const whyId = useId();
  const words = t.inbox.missing;
  if (problem === null) return null;
  const to = from === null || from === UNKNOWN_NUMBER ? null : from;
  const ask = () => to !== null && void navigate({ to: '/send', search: { to, again: id } });
  const button = (
    <Button
      icon="send"
      isDisabled={to === null}
      {...(to === null ? { 'aria-describedby': whyId } : {})}
      onPress={ask}
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
