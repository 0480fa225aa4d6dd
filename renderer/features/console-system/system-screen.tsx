import { useParams } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import type { Permission } from '../../../shared/permissions.ts';
import { useMe } from '../../api/queries.ts';
import { t } from '../../texts/house.ts';
import { Subnav } from '../../ui/subnav.tsx';
import { ApiPage } from './api-page.tsx';
import { BackupsPage } from './backups-page.tsx';
import { ComputersPage } from './computers-page.tsx';
import { HealthPage } from './health-page.tsx';
import { LogPage } from './log-page.tsx';

interface SystemPage {
  readonly page: string;
  readonly label: string;
  readonly needs: Permission | null;
  readonly Page: ComponentType;
}

const PAGES: readonly SystemPage[] = [
  { page: 'health', label: t.system.health.title, needs: 'diagnostics:read', Page: HealthPage },
  { page: 'computers', label: t.system.computers.title, needs: 'settings:read', Page: ComputersPage },
  { page: 'backups', label: t.system.backups.title, needs: 'diagnostics:read', Page: BackupsPage },
  { page: 'log', label: t.system.logs.title, needs: 'logs:read', Page: LogPage },
  { page: 'interface', label: t.system.api.title, needs: null, Page: ApiPage },
];

/** How the gateway is, its backups, its log and its interface for programs. */
export function SystemScreen() {
  const { page: wanted } = useParams({ from: '/framed/system/{-$page}' });
  const permissions = useMe()?.permissions ?? [];
  const pages = PAGES.filter(({ needs }) => needs === null || permissions.includes(needs));
  const shown = pages.find(({ page }) => page === wanted) ?? pages[0];
  useEffect(() => {
    document.title = `${t.system.title} · ${t.shell.product}`;
  }, []);
  if (!shown) return null;
  return (
    <>
      <Subnav
        to="/system/{-$page}"
        title={t.system.title}
        label={t.system.pages}
        current={shown.page}
        entries={pages}
      />
      <shown.Page />
    </>
  );
}
