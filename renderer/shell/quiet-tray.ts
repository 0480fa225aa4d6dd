import type { DesktopTray } from '../../shared/desktop.ts';
import { t } from '../texts/index.ts';

/** Tray and icon of an application without a person. */
export const QUIET_TRAY: DesktopTray = {
  state: 'normal',
  sending: null,
  newFaxes: 0,
  tooltip: t.shell.product,
};

/** Takes everything of a person off the tray and the icon; does nothing in a browser. */
export function showQuietTray(): void {
  void window.faxdesk?.setTray(QUIET_TRAY);
}
