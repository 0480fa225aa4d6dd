import { Navigate, Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Permission } from '../../shared/permissions.ts';
import { loadPart } from '../api/load-part.ts';
import { isOwnSession, type Me, useMe, usePermissions } from '../api/queries.ts';
import { useConnection } from '../api/use-connection.ts';
import { NEW_BROADCAST } from '../parts/new-broadcast-place.ts';
import { NEW_PERSON } from '../parts/new-person-place.ts';
import { accessParts } from '../texts/en/access-parts.ts';
import { t } from '../texts/index.ts';
import {
  type Action,
  handleCommand,
  handleShortcut,
  useActions,
  useRegisteredActions,
} from '../ui/actions.tsx';
import { WaitsForDialog } from '../ui/focus/waits.tsx';
import { Notice } from '../ui/notice.tsx';
import { singleKeysOf } from '../ui/single-keys.ts';
import { showTextSizeOf } from '../ui/text-size.ts';
import { DesktopLink } from './desktop-link.tsx';
import { DropAnywhere } from './drop-anywhere.tsx';
import { FaxAttention } from './fax-attention.tsx';
import { FaxNotices } from './fax-notices.tsx';
import { LiveUpdates } from './live-updates.tsx';
import { NotAllowed } from './no-screen.tsx';
import { OpenActs } from './open-acts.tsx';
import { OpenPrinted } from './open-printed.tsx';
import { usePersonActions } from './person-actions.ts';
import { Rail } from './rail.tsx';
import { focusFirstScreen } from './screen-focus.ts';
import { placeOf, useBeginnings } from './screen-places.ts';
import { screenAt, screensFor } from './screens.ts';
import styles from './shell.module.css';
import { TopBar } from './top-bar.tsx';
import { useOpenHelp } from './use-open-help.ts';
import { WorkDue } from './work-due.tsx';
import { WorkNewsNotices } from './work-news.tsx';

const Palette = lazy(async () => ({
  default: (await loadPart(() => import('./palette/palette.tsx'))).Palette,
}));
const SignOutQuestion = lazy(async () => ({
  default: (await loadPart(() => import('./sign-out-question.tsx'))).SignOutQuestion,
}));
const PasswordNotice = lazy(async () => ({
  default: (await loadPart(() => import('./password-notice.tsx'))).PasswordNotice,
}));
const ProblemNotice = lazy(async () => ({
  default: (await loadPart(() => import('./problem-notice.tsx'))).ProblemNotice,
}));
const Tour = lazy(async () => ({ default: (await loadPart(() => import('./tour/tour.tsx'))).Tour }));
const KeysHelp = lazy(async () => ({ default: (await loadPart(() => import('./keys-help.tsx'))).KeysHelp }));

/** The frame that stays while screens change. */
export function Shell() {
  const me = useMe();
  return me ? <Frame me={me} /> : null;
}

/** Dialog over the screens. */
type Opened = 'palette' | 'keys' | 'sign out';

function Frame({ me }: { me: Me }) {
  const [open, setOpen] = useState<Opened | null>(null);
  const held = usePermissions();
  useShellActions(held, setOpen);
  useEffect(() => singleKeysOf(me.principal.id), [me.principal.id]);
  useLayoutEffect(() => {
    showTextSizeOf(me.principal.id);
    return () => showTextSizeOf(null);
  }, [me.principal.id]);
  const isSend = useLocation({ select: ({ pathname }) => pathname === '/send' });
  const isFirst = useRef(true);
  // Before any key comes to the frame.
  useLayoutEffect(() => {
    if (isFirst.current) focusFirstScreen(isSend);
    isFirst.current = false;
  }, [isSend]);
  useLayoutEffect(() => {
    window.addEventListener('keydown', handleCommand, { capture: true });
    window.addEventListener('keydown', handleShortcut);
    return () => {
      window.removeEventListener('keydown', handleCommand, { capture: true });
      window.removeEventListener('keydown', handleShortcut);
    };
  }, []);
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#screen">
        {t.shell.skip}
      </a>
      <Rail screens={screensFor(held)} />
      <TopBar me={me} onOpen={setOpen} />
      <main className={styles['screen']} id="screen" tabIndex={-1}>
        <ConnectionNotice />
        <OpenActs />
        <FaxAttention key={me.principal.id} />
        <WorkDue />
        <WorkNewsNotices me={me} />
        <Suspense>
          <ProblemNotice />
        </Suspense>
        {isOwnSession(me) && (
          <Suspense>
            <PasswordNotice />
          </Suspense>
        )}
        <Suspense>
          <Tour />
        </Suspense>
        <Allowed held={held} />
        <DropAnywhere />
      </main>
      <Suspense fallback={<WaitsForDialog />}>
        {open === 'palette' && <Palette onClose={() => setOpen(null)} />}
        {open === 'sign out' && <SignOutQuestion onClose={() => setOpen(null)} />}
        {open === 'keys' && <KeysHelp onClose={() => setOpen(null)} />}
      </Suspense>
      <LiveUpdates />
      <DesktopLink me={me} />
      <FaxNotices me={me} />
      <OpenPrinted />
    </div>
  );
}

/** The screen, or why it is not shown: by address a person may come to one they may not see. */
function Allowed({ held }: { held: readonly Permission[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const screen = screenAt(path);
  const open = screensFor(held);
  const mayEnter = !screen || open.includes(screen);
  // The console opens with Send; who may not send begins with what they may see.
  if (!mayEnter && screen.path === '/send' && open[0]) return <Navigate to={open[0].path} replace />;
  return <div className={styles['panes']}>{mayEnter ? <Outlet /> : <NotAllowed />}</div>;
}

function ConnectionNotice() {
  const { lostSince } = useConnection();
  if (lostSince === null) return null;
  return (
    <div className={styles['notice']}>
      <Notice tone="warn" icon="refresh" isLive title={t.shell.lostTitle}>
        {t.shell.lostSentence}
      </Notice>
    </div>
  );
}

function useShellActions(held: readonly Permission[], setOpen: (open: Opened | null) => void): void {
  const navigate = useNavigate();
  const router = useRouter();
  const beginnings = useBeginnings();
  const visits = screensFor(held).map(
    (screen, index): Action => ({
      id: screen.path,
      label: screen.name,
      icon: screen.icon,
      ...(index < 9 && { keys: `alt+${index + 1}` }),
      run: () =>
        void navigate({ to: screen.path, ...placeOf(screen, router.latestLocation.pathname, beginnings) }),
    }),
  );
  const statistics = useStatisticsAction();
  const newPerson = useNewPersonAction();
  const openHelp = useOpenHelp();
  const maySend = held.includes('fax:send');
  const hasList = useRegisteredActions().some(({ actions }) =>
    actions.some(({ id }) => id === 'search-list'),
  );
  const person = usePersonActions(() => setOpen('sign out'));
  useActions(t.shell.goTo, visits, true);
  useActions(
    t.shell.everywhere,
    [
      {
        id: 'palette',
        label: t.shell.openPalette,
        icon: 'search',
        keys: 'mod+k',
        run: () => setOpen('palette'),
      },
      // On a screen with a list the key searches that.
      ...(hasList
        ? []
        : ([
            {
              id: 'search',
              label: t.shell.search,
              icon: 'search',
              keys: '/',
              run: () => setOpen('palette'),
            },
          ] as const)),
      ...(maySend
        ? ([
            {
              id: 'new',
              label: t.shell.newFax,
              icon: 'plus',
              keys: 'n',
              run: () => void navigate({ to: '/send' }),
            },
            {
              id: 'several',
              label: t.shell.sendToSeveral,
              icon: 'group',
              run: () => void navigate(NEW_BROADCAST),
            },
          ] as const)
        : []),
      ...statistics,
      ...newPerson,
      { id: 'help', label: t.shell.help, icon: 'question', keys: 'f1', isEverywhere: true, run: openHelp },
      { id: 'keys', label: t.shell.keysHelp, icon: 'keyboard', keys: '?', run: () => setOpen('keys') },
      ...person,
    ],
    true,
  );
}

/** For who may read all work. */
function useStatisticsAction(): Action[] {
  const navigate = useNavigate();
  if (!useMe()?.permissions.includes('work:read')) return [];
  const run = () => void navigate({ to: '/work/statistics' });
  return [{ id: 'work-statistics', label: t.shell.workStatistics, icon: 'report', run }];
}

/** For who may create people. Their list has the action itself. */
function useNewPersonAction(): Action[] {
  const navigate = useNavigate();
  const mayCreate = usePermissions().includes('users:manage');
  const isListed = useRegisteredActions().some(({ title }) => title === accessParts.people);
  const permissions = useMe()?.permissions ?? [];
  if (!mayCreate || isListed || !permissions.includes('users:read')) return [];
  const run = () => void navigate(NEW_PERSON);
  return [{ id: 'new-person', label: t.shell.newPerson, icon: 'add-person', run }];
}
