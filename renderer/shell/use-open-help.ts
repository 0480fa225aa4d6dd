import { useRouter } from '@tanstack/react-router';
import { showHelp } from '../parts/help/shown-help.ts';
import { rememberPlace } from '../parts/help-place.ts';
import { helpOfCover, isCovered } from '../ui/actions.tsx';
import { helpPageAt } from './help-places.ts';

/**
 * Returns a function that opens the help page of the present screen. With its key, which works in a dialog too, it shows the
 * page of the dialog, or of the screen below, over that: the screen stays then, with what was typed in the dialog.
 */
export function useOpenHelp(): (shortcut?: string) => void {
  const router = useRouter();
  return (shortcut) => {
    const { pathname } = router.latestLocation;
    if (shortcut !== undefined && isCovered()) return showHelp(helpOfCover() ?? helpPageAt(pathname));
    if (!/^\/help(?:\/|$)/u.test(pathname)) rememberPlace(router.history.location.href);
    void router.navigate({ to: '/help/{-$helpPage}', params: { helpPage: helpPageAt(pathname) } });
  };
}
