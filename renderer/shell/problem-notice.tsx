import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { problemsQuery } from '../api/problems.ts';
import { usePermission } from '../api/queries.ts';
import { t } from '../texts/index.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './shell.module.css';

const SYSTEM = '/system';

/** Shows why no faxes can be accepted at present, on every screen but System, which shows it itself. */
export function ProblemNotice() {
  const { data: problems = [] } = useQuery(problemsQuery);
  const isSystem = useLocation({ select: ({ pathname }) => pathname.startsWith(SYSTEM) });
  const maySee = usePermission('diagnostics:read');
  if (problems.length === 0 || isSystem) return null;
  return (
    <div className={styles['notice']}>
      <Notice tone="danger" isLive title={t.shell.notWorking}>
        {problems.join(' ')} {maySee && <Link to="/system/{-$systemPage}">{t.shell.openSystem}</Link>}
      </Notice>
    </div>
  );
}
