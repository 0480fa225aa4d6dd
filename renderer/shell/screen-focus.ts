import { awaitBegin, beginHere, beginIsDrawn, hadFocus } from '../ui/focus/keeper.ts';
import { silence } from '../ui/live-region.tsx';

/** Screens of which each address is one of its own; of the others each part is. */
const SINGLE = ['send', 'setup'];
const PARTED = ['costs', 'access', 'settings', 'system'];
/** Target of the link that skips the frame; it is no place of a screen. */
const PAST_FRAME = 'screen';

/** `/send/3f…`, `/access/people`, `/inbox`: what is one screen to the keyboard. */
function screenOf(pathname: string): string {
  const parts = pathname.split('/').filter((part) => part !== '');
  const [first = ''] = parts;
  if (SINGLE.includes(first)) return parts.join('/');
  return parts.slice(0, PARTED.includes(first) ? 2 : 1).join('/');
}

interface Navigation {
  readonly fromLocation?: { readonly pathname: string; readonly href: string } | undefined;
  readonly toLocation: { readonly pathname: string; readonly href: string; readonly hash: string };
}

interface FollowedRouter {
  subscribe(event: 'onBeforeNavigate' | 'onRendered', listen: (event: Navigation) => void): unknown;
}

/** The keyboard goes to where a screen begins whenever one is opened, also the one that is there already. */
export function followScreens(router: FollowedRouter): void {
  router.subscribe('onBeforeNavigate', ({ fromLocation: from, toLocation: to }) => {
    if (!from) return;
    const isSame =
      screenOf(from.pathname) === screenOf(to.pathname) &&
      from.href !== to.href &&
      ['', PAST_FRAME].includes(to.hash);
    // The names of pages beside a screen are walked through.
    const isWalk = document.activeElement?.closest('[data-keeps-focus]') !== null;
    if (!isSame) silence();
    if (!isSame && !isWalk) awaitBegin();
  });
  router.subscribe('onRendered', beginIsDrawn);
}

/**
 * For who comes by signing in, and for a new fax that is opened by its address. On every other screen the first Tab leads
 * to the link that skips the frame, also when it is pressed before the screen is drawn.
 */
export function focusFirstScreen(isWriting: boolean): void {
  if (!isWriting && !hadFocus()) return;
  beginHere();
}
