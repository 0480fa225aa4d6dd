import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { client } from '../api/client.ts';
import { usePermission } from '../api/queries.ts';
import { ApiError } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './shell.module.css';

const POLL_EVERY_MS = 60_000;
const SYSTEM = '/system';

const problemsQuery = queryOptions({
  queryKey: ['problems'],
  queryFn: async ({ signal }) => {
    try {
      return (await client.system.ready({ signal })).problems;
    } catch (error) {
      if (error instanceof ApiError && error.is('not_ready')) return problemsIn(error.body);
      throw error;
    }
  },
  refetchInterval: POLL_EVERY_MS,
  // The notice of the connection reports a gateway that does not respond.
  retry: false,
});

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

function problemsIn(body: unknown): readonly string[] {
  const { problems } = (body ?? {}) as { problems?: unknown };
  return Array.isArray(problems) ? problems.filter((problem) => typeof problem === 'string') : [];
}
