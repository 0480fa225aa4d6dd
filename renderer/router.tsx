import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from './api/load-part.ts';
import { FILTER_NAMES, type FilterInAddress } from './parts/lists/filter-names.ts';
import { Gate } from './shell/gate.tsx';
import { Home } from './shell/home.tsx';
import { NoScreen, ScreenBroke } from './shell/no-screen.tsx';
import { followScreens } from './shell/screen-focus.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Gate, notFoundComponent: NoScreen });

/** Below it is everything that a signed-in person sees inside the frame. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: Shell });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: Home,
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup/{-$step}',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/console-setup/setup-screen.tsx')),
    'SetupScreen',
  ),
});

const send = createRoute({
  getParentRoute: () => framed,
  path: '/send',
  validateSearch: givenFaxIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/outbound-send/send-screen.tsx')),
    'SendScreen',
  ),
});

/** The live status of a fax that was just sent. */
const sending = createRoute({
  getParentRoute: () => framed,
  path: '/send/$faxId',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/outbound-send/live/sending-screen.tsx')),
    'SendingScreen',
  ),
});

const inbox = createRoute({
  getParentRoute: () => framed,
  path: '/inbox/{-$receivedId}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/inbound/inbox-screen.tsx')),
    'InboxScreen',
  ),
});

const workStatistics = createRoute({
  getParentRoute: () => framed,
  path: '/work/statistics',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/work-statistics/statistics-screen.tsx')),
    'StatisticsScreen',
  ),
});

const work = createRoute({
  getParentRoute: () => framed,
  path: '/work/{-$workId}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/work/work-screen.tsx')),
    'WorkScreen',
  ),
});

const sent = createRoute({
  getParentRoute: () => framed,
  path: '/sent/{-$sentId}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/outbound-sent/sent-screen.tsx')),
    'SentScreen',
  ),
});

const sentCalendar = createRoute({
  getParentRoute: () => framed,
  path: '/sent/calendar/{-$waitingId}',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/outbound-sent/calendar/calendar-screen.tsx')),
    'CalendarScreen',
  ),
});

const broadcasts = createRoute({
  getParentRoute: () => framed,
  path: '/sent/broadcasts/{-$broadcastId}',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/broadcasts/broadcasts-screen.tsx')),
    'BroadcastsScreen',
  ),
});

const cases = createRoute({
  getParentRoute: () => framed,
  path: '/cases/{-$caseId}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/cases/cases-screen.tsx')),
    'CasesScreen',
  ),
});

const contacts = createRoute({
  getParentRoute: () => framed,
  path: '/contacts/{-$contactId}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/contacts/contacts-screen.tsx')),
    'ContactsScreen',
  ),
});

const partners = createRoute({
  getParentRoute: () => framed,
  path: '/contacts/partners/{-$partnerId}',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/contacts/partners/partners-screen.tsx')),
    'PartnersScreen',
  ),
});

const covers = createRoute({
  getParentRoute: () => framed,
  path: '/contacts/covers/{-$coverId}',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/covers/covers-screen.tsx')),
    'CoversScreen',
  ),
});

/**
 * Returns the facts that another screen gives the new fax: a number, E.164, perhaps with the received fax that its sender is asked
 * to send again; the sent fax to send again, from a page on; the received fax that is answered or passed on; or the printed document
 * whose pages it gets.
 */
function givenFaxIn({ to, again, resend, from, answer, forward, printed }: Record<string, unknown>): {
  to?: string;
  again?: string;
  resend?: string;
  from?: number;
  answer?: string;
  forward?: string;
  printed?: string;
} {
  if (isId(resend)) return Number.isInteger(from) ? { resend, from: Number(from) } : { resend };
  if (isId(answer)) return { answer };
  if (isId(forward)) return { forward };
  if (isId(printed)) return { printed };
  if (typeof to !== 'string' || !/^\+\d{4,15}$/u.test(to)) return {};
  return isId(again) ? { to, again } : { to };
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,40}$/u.test(value);

/** Filters and search stand in the address, so that they can be kept and shared. */
function filterIn(search: Record<string, unknown>): FilterInAddress {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      // A number in the address is read as text.
      const value = typeof search[name] === 'number' ? String(search[name]) : search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

const costs = createRoute({
  getParentRoute: () => framed,
  path: '/costs/{-$costsPage}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/routing-costs/costs-screen.tsx')),
    'CostsScreen',
  ),
});

const access = createRoute({
  getParentRoute: () => framed,
  path: '/access/{-$part}/{-$id}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/access/access-screen.tsx')),
    'AccessScreen',
  ),
});

/** The person's own password and sessions, whatever else they may see. */
const mySignIn = createRoute({
  getParentRoute: () => framed,
  path: '/my-sign-in',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/access/my-sign-in/my-sign-in-screen.tsx')),
    'MySignInScreen',
  ),
});

/** The person's own phrases and the values of their new faxes. */
const mySettings = createRoute({
  getParentRoute: () => framed,
  path: '/my-settings',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/desk/my-settings-screen.tsx')),
    'MySettingsScreen',
  ),
});

const settings = createRoute({
  getParentRoute: () => framed,
  path: '/settings/{-$settingsPage}',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/settings/settings-screen.tsx')),
    'SettingsScreen',
  ),
});

const system = createRoute({
  getParentRoute: () => framed,
  path: '/system/{-$systemPage}',
  validateSearch: filterIn,
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/console-system/system-screen.tsx')),
    'SystemScreen',
  ),
});

const help = createRoute({
  getParentRoute: () => framed,
  path: '/help/{-$helpPage}',
  component: lazyRouteComponent(
    () => loadPart(() => import('./features/console-help/help-screen.tsx')),
    'HelpScreen',
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    setup,
    framed.addChildren([
      send,
      sending,
      inbox,
      work,
      workStatistics,
      sent,
      sentCalendar,
      broadcasts,
      cases,
      contacts,
      partners,
      covers,
      costs,
      access,
      mySettings,
      mySignIn,
      settings,
      system,
      help,
    ]),
  ]),
  basepath: '/admin/ui',
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenBroke,
  defaultPendingComponent: () => null,
  scrollRestoration: false,
});

followScreens(router);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
