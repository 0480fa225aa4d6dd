import { useSyncExternalStore } from 'react';

const wideLayout = window.matchMedia('(min-width: 1200px)');
const drawerLayout = window.matchMedia('(min-width: 1720px)');

const useMedia = (media: MediaQueryList): boolean =>
  useSyncExternalStore(
    (listener) => {
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => media.matches,
  );

/** Returns true when small pages fit beside a page that can be read. */
export const useWideLayout = (): boolean => useMedia(wideLayout);

/** Returns true when list, a page that can be read and the details fit beside each other. */
export const useDrawerLayout = (): boolean => useMedia(drawerLayout);
