import { useRouter } from '@tanstack/react-router';
import { rememberPlace } from '../parts/help-place.ts';
import { helpPageAt } from './help-places.ts';

/** Returns a function that opens the help page of the present screen. */
export function useOpenHelp(): () => void {
  const router = useRouter();
  return () => {
    const { pathname } = router.latestLocation;
    if (!/^\/help(?:\/|$)/u.test(pathname)) rememberPlace(router.history.location.href);
    void router.navigate({ to: '/help/{-$helpPage}', params: { helpPage: helpPageAt(pathname) } });
  };
}
