import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { FILTER_NAMES, type FilterInAddress } from './parts/lists/filter-names.ts';
import { Gate } from './shell/gate.tsx';
import { NoScreen, ScreenBroke } from './shell/no-screen.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Gate, notFoundComponent: NoScreen });

/** Below it is everything that a signed-in person sees inside the frame. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: Shell });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/send', replace: true });
  },
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup/{-$step}',
  component: lazyRouteComponent(() => import('./features/console-setup/setup-screen.tsx'), 'SetupScreen'),
});

const send = createRoute({
  getParentRoute: () => framed,
  path: '/send',
  component: lazyRouteComponent(() => import('./features/outbound-send/send-screen.tsx'), 'SendScreen'),
});

/** The live status of a fax that was just sent. */
const sending = createRoute({
  getParentRoute: () => framed,
  path: '/send/$faxId',
  component: lazyRouteComponent(
    () => import('./features/outbound-send/live/sending-screen.tsx'),
    'SendingScreen',
  ),
});

const inbox = createRoute({
  getParentRoute: () => framed,
  path: '/inbox/{-$faxId}',
  validateSearch: filterIn,
  component: lazyRouteComponent(() => import('./features/inbound/inbox-screen.tsx'), 'InboxScreen'),
});

const sent = createRoute({
  getParentRoute: () => framed,
  path: '/sent/{-$faxId}',
  validateSearch: filterIn,
  component: lazyRouteComponent(() => import('./features/outbound-sent/sent-screen.tsx'), 'SentScreen'),
});

/** Filters and search stand in the address, so that they can be kept and shared. */
function filterIn(search: Record<string, unknown>): FilterInAddress {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      // A number that somebody wrote into the address is read as one.
      const value = typeof search[name] === 'number' ? String(search[name]) : search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

const access = createRoute({
  getParentRoute: () => framed,
  path: '/access/{-$part}/{-$id}',
  validateSearch: filterIn,
  component: lazyRouteComponent(() => import('./features/access/access-screen.tsx'), 'AccessScreen'),
});

/** The person's own password and sessions, whatever else they may see. */
const mySignIn = createRoute({
  getParentRoute: () => framed,
  path: '/my-sign-in',
  component: lazyRouteComponent(
    () => import('./features/access/my-sign-in/my-sign-in-screen.tsx'),
    'MySignInScreen',
  ),
});

const settings = createRoute({
  getParentRoute: () => framed,
  path: '/settings/{-$page}',
  component: lazyRouteComponent(() => import('./features/settings/settings-screen.tsx'), 'SettingsScreen'),
});

const system = createRoute({
  getParentRoute: () => framed,
  path: '/system/{-$page}',
  component: lazyRouteComponent(() => import('./features/console-system/system-screen.tsx'), 'SystemScreen'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    setup,
    framed.addChildren([send, sending, inbox, sent, access, mySignIn, settings, system]),
  ]),
  basepath: '/admin/ui',
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenBroke,
  defaultPendingComponent: () => null,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
