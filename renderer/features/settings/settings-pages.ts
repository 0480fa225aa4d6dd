import type { Provider, Setting } from '../../api/settings.ts';
import { t } from '../../texts/administration.ts';

export const THIS_COMPUTER = 'this-computer';
export const ROUTES = 'routes';
export const PRINTING = 'printing';

export interface SettingsPage {
  /** In the address. */
  readonly page: string;
  readonly title: string;
  /** As the definitions name it; null for a page without settings. */
  readonly group: string | null;
  readonly settings: readonly Setting[];
  /** The provider whose account these settings are. */
  readonly provider: Provider | null;
}

/** A page for each group of the definitions, in their order. */
export function settingsPages(
  settings: readonly Setting[],
  providers: readonly Provider[],
): readonly SettingsPage[] {
  return [...new Set(settings.map(({ group }) => group))].map((group) => {
    const provider = providers.find((it) => it.group === group) ?? null;
    return {
      page: addressOf(group),
      title: provider?.name ?? group,
      group,
      settings: settings.filter((setting) => setting.group === group),
      provider,
    };
  });
}

/** `Audit and log` is `audit-and-log`. */
function addressOf(group: string): string {
  return group
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
}

/** Returns the page for settings of this computer; empty in a browser, as only the desktop window has them. */
export function computerPage(): SettingsPage[] {
  if (!window.faxdesk) return [];
  return [
    { page: THIS_COMPUTER, title: t.settings.computer.title, group: null, settings: [], provider: null },
  ];
}

/** By which accounts faxes leave. It has no settings. */
export const routesPage: SettingsPage = {
  page: ROUTES,
  title: t.settings.routes,
  group: null,
  settings: [],
  provider: null,
};

/** On which printers received faxes are printed. It has no settings. */
export const printingPage: SettingsPage = {
  page: PRINTING,
  title: t.settings.printing,
  group: null,
  settings: [],
  provider: null,
};
