import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useMe } from '../../api/queries.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/administration.ts';
import { Subnav } from '../../ui/subnav.tsx';
import { ApiPage } from './api-page.tsx';
import { ArchivesPage } from './archives-page.tsx';
import { BackupsPage } from './backups-page.tsx';
import { ComputersPage } from './computers-page.tsx';
import { DataKeyPage } from './data-key-page.tsx';
import { DeliveriesPage } from './deliveries-page.tsx';
import { HealthPage } from './health-page.tsx';
import { HoldsPage } from './holds-page.tsx';
import { LogPage } from './log-page.tsx';
import { MessagesPage } from './messages-page.tsx';
import { NoticesPage } from './notices-page.tsx';
import { type SystemPage, systemPagesFor } from './page-names.ts';
import { PrintoutsPage } from './printouts-page.tsx';
import { TerminalPage } from './terminal-page.tsx';

const PAGES: Readonly<Record<SystemPage, ComponentType>> = {
  health: HealthPage,
  computers: ComputersPage,
  backups: BackupsPage,
  'data-key': DataKeyPage,
  deliveries: DeliveriesPage,
  printouts: PrintoutsPage,
  messages: MessagesPage,
  archives: ArchivesPage,
  holds: HoldsPage,
  notices: NoticesPage,
  log: LogPage,
  terminal: TerminalPage,
  interface: ApiPage,
};

/** Shows the health of the gateway, its backups, its log and its API. */
export function SystemScreen() {
  const { systemPage: wanted } = useParams({ from: '/framed/system/{-$systemPage}' });
  const pages = systemPagesFor(useMe()?.permissions ?? []);
  const shown = pages.find(({ page }) => page === wanted) ?? pages[0];
  useScreenTitle(t.system.title);
  if (!shown) return null;
  const Page = PAGES[shown.page];
  return (
    <>
      <Subnav
        to="/system/{-$systemPage}"
        title={t.system.title}
        label={t.system.pages}
        current={shown.page}
        entries={pages}
      />
      <Page />
    </>
  );
}
