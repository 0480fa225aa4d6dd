import { useNavigate } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import type { Action } from '../ui/actions.tsx';
import { endSession } from './session.ts';

/** What the person who is signed in can do about that, in their menu and in the palette. */
export function usePersonActions(): readonly Action[] {
  const navigate = useNavigate();
  const leave = (why: 'switched' | 'signed out') => {
    void endSession(why);
    // Whoever comes next begins at the beginning.
    void navigate({ to: '/', replace: true });
  };
  return [
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
    { id: 'out', label: t.shell.signOut, icon: 'power', run: () => leave('signed out') },
  ];
}
