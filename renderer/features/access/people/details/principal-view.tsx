import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { loadPart } from '../../../../api/load-part.ts';
import { useMe, usePermission } from '../../../../api/queries.ts';
import { isStatus } from '../../../../api/sentence.ts';
import { ListOpening } from '../../../../parts/lists/list-state.tsx';
import { t } from '../../../../texts/access.ts';
import { formatWhen } from '../../../../ui/format.ts';
import { Pane } from '../../../../ui/pane.tsx';
import { Details, DetailsLine, DetailsSection, DetailsTop } from '../../details/details.tsx';
import { MissingEntry } from '../../lists/missing-entry.tsx';
import { PrincipalState } from '../people-columns.tsx';
import { kindOf, type Principal, type PrincipalDetails, principalQuery } from '../people-queries.ts';
import { EffectivePermissions } from './effective-permissions.tsx';
import { PrincipalGroups } from './principal-groups.tsx';
import styles from './principal-view.module.css';
import { usePrincipalActions } from './use-principal-actions.tsx';

const MailSenders = lazy(() => loadPart(() => import('./mail-senders.tsx')));
const SpendingOf = lazy(() => loadPart(() => import('./principal-spending.tsx')));

const words = t.access.person;

/** A person or an integration that is open beside the list. */
export function PrincipalView({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(principalQuery(id));
  if (found.data) return <PrincipalBody details={found.data} onClose={onClose} />;
  if (isStatus(found.error, 404)) return <MissingEntry label={words.details.user} onClose={onClose} />;
  return (
    <Pane as="aside" label={words.details.user}>
      <ListOpening error={found.error} retry={() => void found.refetch()} />
    </Pane>
  );
}

function PrincipalBody({ details, onClose }: { details: PrincipalDetails; onClose: () => void }) {
  const { user } = details;
  const isMe = useMe()?.principal.id === user.id;
  const maySeeSenders = usePermission('users:read');
  const maySeeCosts = usePermission('routing:read');
  const { buttons, question, dialog } = usePrincipalActions(details, isMe);
  return (
    <Details
      label={words.details[kindOf(user)]}
      title={isMe ? t.ui.you(user.display_name) : user.display_name}
      facts={<Line principal={user} />}
      onClose={onClose}
    >
      <DetailsTop>
        {buttons && <DetailsLine>{buttons}</DetailsLine>}
        {question}
        {isMe && (
          <p>
            {words.isYou} <Link to="/my-sign-in">{words.mySignIn}</Link>
          </p>
        )}
      </DetailsTop>
      <PrincipalGroups details={details} />
      <Suspense>
        {maySeeSenders && <MailSenders principal={user} />}
        {maySeeCosts && <SpendingOf principal={user} />}
      </Suspense>
      <EffectivePermissions details={details} />
      <RelatedLinks principal={user} />
      {dialog}
    </Details>
  );
}

function Line({ principal }: { principal: Principal }) {
  const { login, last_seen_at, two_factor, quick_sign_in } = principal;
  const facts = [
    login,
    two_factor ? words.withFactor : null,
    quick_sign_in ? words.withQuick : null,
    last_seen_at === null ? words.neverSeen : words.seen(formatWhen(last_seen_at)),
  ].filter((it) => it !== null);
  return (
    <>
      <PrincipalState principal={principal} />
      <span>{facts.join(' · ')}</span>
    </>
  );
}

/** Ways to what belongs to them in other parts of Access. */
function RelatedLinks({ principal: { id, display_name, kind } }: { principal: Principal }) {
  const maySeeKeys = usePermission('keys:manage');
  const maySeeSessions = usePermission('sessions:read') && kind === 'user';
  const maySeeAudit = usePermission('audit:read');
  const maySeeGrants = usePermission('grants:read');
  const ways = [
    maySeeGrants &&
      ({ part: 'assignments', search: { of: id }, label: words.rolesOf(display_name) } as const),
    maySeeKeys && ({ part: 'keys', search: { of: id }, label: words.keysOf(display_name) } as const),
    maySeeSessions &&
      ({ part: 'sessions', search: { of: id }, label: words.sessionsOf(display_name) } as const),
    maySeeAudit && ({ part: 'audit', search: { who: id }, label: words.pastOf(display_name) } as const),
  ].filter((way) => way !== false);
  if (ways.length === 0) return null;
  return (
    <DetailsSection title={words.also}>
      <ul className={styles['ways']}>
        {ways.map(({ part, search, label }) => (
          <li key={part}>
            <Link to="/access/{-$part}/{-$id}" params={{ part, id: undefined }} search={search}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </DetailsSection>
  );
}
