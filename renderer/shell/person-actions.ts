import { useNavigate } from '@tanstack/react-router';
import { useMe, usePermissions } from '../api/queries.ts';
import { goToStep } from '../api/tour.ts';
import { hasDraft } from '../features/outbound-send/draft/draft-store.ts';
import { t } from '../texts/index.ts';
import type { Action } from '../ui/actions.tsx';
import { endSession } from './session.ts';
import { placeOfStep, stepsFor } from './tour/steps.ts';
import { startTour } from './tour/tour-start.ts';

/** Returns a function that ends the session, so that another person can sign in. */
export function useSignOut(): (why: 'switched' | 'signed out') => void {
  const navigate = useNavigate();
  return (why) => {
    void endSession(why);
    // Whoever comes next begins at the beginning.
    void navigate({ to: '/', replace: true });
  };
}

/** Returns a function that opens the first step of the tour. */
function useOpenTour(): () => void {
  const navigate = useNavigate();
  const [first] = stepsFor(usePermissions());
  return () => {
    if (first === undefined) return;
    startTour();
    // It goes on although its place could not be recorded.
    void goToStep(first).catch(() => undefined);
    void navigate(placeOfStep(first));
  };
}

/**
 * Returns the signed-in person's actions for their session, for their menu and the palette. `askToSignOut` is called
 * instead of signing out while that would delete a draft.
 */
export function usePersonActions(askToSignOut: () => void): readonly Action[] {
  const navigate = useNavigate();
  const me = useMe();
  const leave = useSignOut();
  const openTour = useOpenTour();
  const signOut = async () => {
    if (me && (await hasDraft(me.principal.id))) askToSignOut();
    else leave('signed out');
  };
  return [
    { id: 'tour', label: t.shell.tour, icon: 'flag', run: openTour },
    {
      id: 'my-settings',
      label: t.shell.mySettings,
      icon: 'settings',
      run: () => void navigate({ to: '/my-settings' }),
    },
    {
      id: 'my-sign-in',
      label: t.shell.mySignIn,
      icon: 'person',
      run: () => void navigate({ to: '/my-sign-in' }),
    },
    {
      id: 'lock',
      label: t.shell.lock,
      icon: 'lock',
      keys: 'mod+shift+l',
      run: () => void endSession('locked by hand'),
    },
    { id: 'switch', label: t.shell.switchPerson, icon: 'group', run: () => leave('switched') },
    { id: 'out', label: t.shell.signOut, icon: 'power', run: () => void signOut() },
  ];
}
