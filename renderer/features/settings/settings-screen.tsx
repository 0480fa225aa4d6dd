import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useBlocker, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { type Provider, providersOf, type Settings, settingsQuery } from '../../api/settings.ts';
import { useDesktopPreferences } from '../../parts/desktop-preferences.ts';
import { type SettingDrafts, useSettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/administration.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { Subnav } from '../../ui/subnav.tsx';
import { PrintRulesPage } from './printing/print-rules-page.tsx';
import { Revisions } from './revisions.tsx';
import { RoutesPage } from './routes/routes-page.tsx';
import styles from './settings.module.css';
import { SettingsFields } from './settings-fields.tsx';
import { SettingsFoot } from './settings-foot.tsx';
import {
  computerPage,
  PRINTING,
  printingPage,
  ROUTES,
  routesPage,
  type SettingsPage,
  settingsPages,
  THIS_COMPUTER,
} from './settings-pages.ts';
import { useSettingsSaving } from './settings-saving.ts';
import { ThisComputer } from './this-computer.tsx';

/** Every setting of the installation by group, with what was changed last. */
export function SettingsScreen() {
  const settings = useQuery(settingsQuery);
  useScreenTitle(t.settings.title);
  if (settings.data) return <SettingsPanes settings={settings.data} />;
  if (!settings.error) return null;
  const action = <Button onPress={() => void settings.refetch()}>{t.ui.tryAgain}</Button>;
  return <EmptyState icon="refresh" title={sentenceOf(settings.error)} action={action} />;
}

function SettingsPanes({ settings }: { settings: Settings }) {
  const drafts = useSettingDrafts(settings.settings);
  const { settingsPage: wanted } = useParams({ from: '/framed/settings/{-$settingsPage}' });
  const providers = useMemo(() => providersOf(settings), [settings]);
  const mayRoute = usePermission('routing:read');
  const pages = [
    ...settingsPages(settings.settings, providers).flatMap((it) =>
      it.page === 'sending' && mayRoute ? [it, routesPage] : it.page === 'e-mail' ? [it, printingPage] : [it],
    ),
    ...computerPage(),
  ];
  const page = pages.find((it) => it.page === wanted) ?? pages[0];
  const mayChange = usePermission('settings:write');
  const [hasRevisions, setRevisions] = useState(false);
  if (!page) return null;
  return (
    <>
      <Subnav
        to="/settings/{-$settingsPage}"
        title={t.settings.title}
        label={t.settings.pages}
        current={page.page}
        entries={pages.map((it) => ({ page: it.page, label: it.title, aside: changedIn(it, drafts) }))}
      >
        {mayChange && (
          <Link to="/setup/{-$step}" params={{ step: 'provider' }} className={styles['again']}>
            {t.settings.firstStart}
          </Link>
        )}
      </Subnav>
      <PagePane
        page={page}
        pages={pages}
        providers={providers}
        settings={settings}
        drafts={drafts}
        hasRevisions={hasRevisions}
        onRevisions={() => setRevisions(!hasRevisions)}
      />
      <div className={styles['side']} data-open={hasRevisions || undefined}>
        <Revisions settings={settings.settings} providers={providers} />
      </div>
    </>
  );
}

function changedIn(page: SettingsPage, drafts: SettingDrafts): string | undefined {
  const count = page.settings.filter(({ name }) => drafts.changed.some((it) => it.name === name)).length;
  return count > 0 ? t.settings.changedCount(count) : undefined;
}

function PagePane(props: {
  page: SettingsPage;
  pages: readonly SettingsPage[];
  providers: readonly Provider[];
  settings: Settings;
  drafts: SettingDrafts;
  hasRevisions: boolean;
  onRevisions: () => void;
}) {
  const { page, pages, settings, drafts } = props;
  const saving = useSettingsSaving(settings, drafts);
  const isReadOnly = !usePermission('settings:write');
  const bridge = window.faxdesk;
  return (
    <Pane label={page.title}>
      <PaneHead title={page.title} isForm>
        <span className={styles['panel-button']}>
          <IconButton
            icon="panel"
            label={t.settings.showRevisions}
            isOn={props.hasRevisions}
            onPress={props.onRevisions}
          />
        </span>
      </PaneHead>
      {/* Nothing in it takes the focus while nothing may be changed. */}
      <PaneBody {...(isReadOnly ? { label: page.title } : {})}>
        {settings._meta.apply_state === 'pending_restart' && <RestartNotice />}
        {page.page === THIS_COMPUTER && bridge ? (
          <ThisComputer bridge={bridge} />
        ) : page.page === ROUTES ? (
          <RoutesPage providers={props.providers} />
        ) : page.page === PRINTING ? (
          <PrintRulesPage />
        ) : (
          <SettingsFields
            page={page}
            settings={settings.settings}
            providers={props.providers}
            drafts={drafts}
            isReadOnly={isReadOnly}
          />
        )}
      </PaneBody>
      <LeaveQuestion count={drafts.changed.length} />
      {/* A page without settings saves each thing by itself: only changes of other pages wait there. */}
      {(page.settings.length > 0 || drafts.isAnyBegun) && (
        <SettingsFoot
          drafts={drafts}
          saving={saving}
          isReadOnly={isReadOnly}
          pageOf={({ group }) => pages.find((it) => it.group === group)?.page ?? page.page}
        />
      )}
    </Pane>
  );
}

/** Asks for confirmation in place before changes are lost. Moving between the pages of Settings keeps them. */
function LeaveQuestion({ count }: { count: number }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.routeId !== next.routeId,
    disabled: count === 0,
    enableBeforeUnload: count > 0,
    withResolver: true,
  });
  const stay = useRef<HTMLButtonElement>(null);
  const isAsked = blocker.status === 'blocked';
  useEffect(() => {
    if (isAsked) stay.current?.focus();
  }, [isAsked]);
  if (!isAsked) return null;
  return (
    <div className={styles['ask']}>
      <Notice
        tone="warn"
        isLive
        title={t.settings.leaveTitle(count)}
        action={
          <div className={styles['two']}>
            <Button onPress={blocker.proceed}>{t.settings.leave}</Button>
            <Button ref={stay} onPress={blocker.reset}>
              {t.settings.stay}
            </Button>
          </div>
        }
      >
        {t.settings.leaveSentence}
      </Notice>
    </div>
  );
}

/** Some saved settings take effect at the next start, which this window may be able to begin. */
function RestartNotice() {
  const isOwn = useDesktopPreferences().preferences?.gateway.kind === 'own';
  const restart = useMutation({ mutationFn: async () => window.faxdesk?.restartGateway() });
  return (
    <div className={styles['ask']}>
      <Notice
        tone="warn"
        icon="refresh"
        title={t.settings.waiting}
        action={
          isOwn && (
            <Button isPending={restart.isPending} onPress={() => restart.mutate()}>
              {t.settings.restart}
            </Button>
          )
        }
      >
        {isOwn ? t.settings.waitingDesktop : t.settings.waitingBrowser}
      </Notice>
    </div>
  );
}
