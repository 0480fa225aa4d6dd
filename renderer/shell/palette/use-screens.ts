import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMe, usePermission } from '../../api/queries.ts';
import { providersOf, settingsQuery } from '../../api/settings.ts';
import { partsFor } from '../../features/access/part-names.ts';
import { systemPagesFor } from '../../features/console-system/page-names.ts';
import { COST_PAGES } from '../../features/routing-costs/page-names.ts';
import { computerPage, settingsPages } from '../../features/settings/settings-pages.ts';
import { t } from '../../texts/index.ts';
import { type Entry, type Section, sectionOf, useContains } from './entries.ts';

/** The pages of Costs, Access, Settings and System and every setting, by a part of their name. */
export function usePlaces(query: string): Section[] {
  const costs = useCostPages();
  const access = useAccessPages();
  const system = useSystemPages();
  const settings = useSettings();
  const contains = useContains(query);
  if (query.trim() === '') return [];
  const fitting = (entries: readonly Entry[]) => entries.filter(({ label }) => contains(label));
  return [
    ...sectionOf(t.shell.costs, fitting(costs)),
    ...sectionOf(t.shell.access, fitting(access)),
    ...sectionOf(t.shell.system, fitting(system)),
    ...sectionOf(t.shell.settings, fitting(settings)),
  ];
}

function useCostPages(): Entry[] {
  const navigate = useNavigate();
  if (!usePermission('routing:read')) return [];
  return COST_PAGES.map(({ page, label }) => ({
    id: `costs-${page}`,
    label,
    icon: 'costs',
    run: () => void navigate({ to: '/costs/{-$costsPage}', params: { costsPage: page } }),
  }));
}

function useAccessPages(): Entry[] {
  const navigate = useNavigate();
  const permissions = useMe()?.permissions ?? [];
  return partsFor(permissions).map(({ part, label, icon }) => ({
    id: `access-${part}`,
    label,
    icon,
    run: () => void navigate({ to: '/access/{-$part}/{-$id}', params: { part, id: undefined } }),
  }));
}

function useSystemPages(): Entry[] {
  const navigate = useNavigate();
  const permissions = useMe()?.permissions ?? [];
  const maySee = permissions.includes('diagnostics:read') || permissions.includes('logs:read');
  if (!maySee) return [];
  return systemPagesFor(permissions).map(({ page, label }) => ({
    id: `system-${page}`,
    label,
    icon: 'system',
    run: () => void navigate({ to: '/system/{-$systemPage}', params: { systemPage: page } }),
  }));
}

/** A page, and the settings on it: choosing one leads to its field. */
function useSettings(): Entry[] {
  const navigate = useNavigate();
  const maySee = usePermission('settings:read');
  const settings = useQuery({ ...settingsQuery, enabled: maySee }).data;
  if (!settings) return [];
  const pages = [...settingsPages(settings.settings, providersOf(settings)), ...computerPage()];
  return pages.flatMap(({ page, title, settings: own }) => [
    {
      id: `settings-${page}`,
      label: title,
      icon: 'settings' as const,
      run: () => void navigate({ to: '/settings/{-$settingsPage}', params: { settingsPage: page } }),
    },
    ...own.map(({ name, label }) => ({
      id: `setting-${name}`,
      label,
      icon: 'settings' as const,
      aside: title,
      run: () =>
        void navigate({ to: '/settings/{-$settingsPage}', params: { settingsPage: page }, hash: name }),
    })),
  ]);
}
