import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { z } from 'zod';
import { type Notices, noticesRoutes } from '../../../shared/api/notices.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { origin } from '../../api/client.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/administration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatDay, formatFully, formatWhen } from '../../ui/format.ts';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { Fact, Facts } from './facts.tsx';
import styles from './system.module.css';

const words = t.system.notices;
const POLL_EVERY_MS = 60_000;

type Deprecated = z.infer<typeof Notices>['deprecated'][number];

const { notices } = createRooms({ notices: noticesRoutes }, origin);

const noticesQuery = queryOptions({
  queryKey: ['system', 'notices'],
  queryFn: ({ signal }) => notices.list({ signal }),
  staleTime: 0,
  refetchInterval: POLL_EVERY_MS,
});

/** Shows which deprecated parts are still used, by whom, and what to use instead. */
export function NoticesPage() {
  const state = useQuery(noticesQuery);
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title} />
      <PaneBody isPadded label={words.title}>
        <div className={styles['column']}>
          <LoadProblem of={state} />
          {state.data && <NoticeList notices={state.data} />}
        </div>
      </PaneBody>
    </Pane>
  );
}

function NoticeList({ notices }: { notices: z.infer<typeof Notices> }) {
  const { deprecated, ignored_settings, number_checks } = notices;
  if (deprecated.length === 0 && ignored_settings.length === 0 && number_checks.length === 0)
    return (
      <EmptyState icon="ok" title={words.none}>
        {words.noneSentence}
      </EmptyState>
    );
  return (
    <>
      {number_checks.length > 0 && <NumberChecks checks={number_checks} />}
      {deprecated.map((part) => (
        <DeprecatedPart key={part.id} part={part} />
      ))}
      {ignored_settings.length > 0 && (
        <section className={styles['part']} aria-label={words.ignored}>
          <h3 className={styles['heading']}>{words.ignored}</h3>
          <p>{ignored_settings.join(', ')}</p>
          <p className={styles['quiet']}>{words.ignoredSentence}</p>
        </section>
      )}
    </>
  );
}

/** Partners to whom faxes go by phone soon, with the day. */
function NumberChecks({ checks }: { checks: z.infer<typeof Notices>['number_checks'] }) {
  return (
    <section className={styles['part']} aria-label={words.checks}>
      <h3 className={styles['heading']}>{words.checks}</h3>
      <p>{words.checksSentence}</p>
      <Facts isNested title={words.checksEnd}>
        {checks.map(({ partner_id, organization, expires_at }) => (
          <Fact key={partner_id} name={organization} title={formatFully(expires_at)}>
            <Link to="/contacts/partners/{-$partnerId}" params={{ partnerId: partner_id }}>
              {formatDay(new Date(expires_at))}
            </Link>
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

function DeprecatedPart({ part: { what, instead, sunset, used_by } }: { part: Deprecated }) {
  return (
    <section className={styles['part']} aria-label={what}>
      <h3 className={styles['heading']}>{what}</h3>
      <p>{instead}</p>
      <p className={styles['quiet']}>{words.until(formatDay(new Date(sunset)))}</p>
      <Facts isNested title={words.usedBy}>
        {used_by.map(({ id, name, last_at }) => (
          <Fact key={id ?? name} name={name} title={formatFully(last_at)}>
            {words.last(formatWhen(last_at))}
          </Fact>
        ))}
      </Facts>
    </section>
  );
}
