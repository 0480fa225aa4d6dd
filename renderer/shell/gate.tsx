import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { loadPart } from '../api/load-part.ts';
import { meQuery, onSessionEnded } from '../api/queries.ts';
import { sentenceOf } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ChangePassword } from './change-password.tsx';
import { HelpOver } from './help-over.tsx';
import { IdleLock } from './idle-lock.tsx';
import { handleEndedSession } from './session.ts';
import { SignIn } from './sign-in.tsx';

const SecondFactor = lazy(async () => ({
  default: (await loadPart(() => import('./second-factor.tsx'))).SecondFactor,
}));

/** Everything of the console, and the help over it. */
export function Gate() {
  return (
    <>
      <Gated />
      <HelpOver />
    </>
  );
}

/** Decides what stands on the page: sign-in, a password to change, a second factor to set up, the first start, or the screens. */
function Gated() {
  useEffect(() => onSessionEnded(handleEndedSession), []);
  const me = useQuery(meQuery);
  const isSetup = useLocation({ select: ({ pathname }) => pathname.startsWith('/setup') });
  if (me.data === undefined) {
    if (!me.error) return <Opening />;
    const again = <Button onPress={() => void me.refetch()}>{t.ui.tryAgain}</Button>;
    return <EmptyState icon="refresh" title={sentenceOf(me.error)} action={again} />;
  }
  if (me.data === null) return <SignIn />;
  if (me.data.password_change_required && !isSetup) return <ChangePassword />;
  if (me.data.two_factor_setup_required)
    return (
      <Suspense fallback={<Opening />}>
        <SecondFactor />
      </Suspense>
    );
  if (me.data.can_enroll_owner && !isSetup) return <Navigate to="/setup/{-$step}" replace />;
  return (
    <>
      <Outlet />
      {!me.data.password_change_required && <IdleLock />}
    </>
  );
}

/** Page until the session is loaded; the document shows the same before any script runs. */
function Opening() {
  return <div className="opening">{t.shell.product}</div>;
}
