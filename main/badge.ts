import { app, type BrowserWindow } from 'electron';
import type { DesktopTray } from '../shared/desktop.ts';
import { overlayIcon } from './icons.ts';

/**
 * Shows the number of new faxes, of those that need the person, and of their items that are due, on the application's
 * own icon: a number on macOS and Linux, a mark on Windows, which supports no numbers.
 */
export function showBadge(tray: DesktopTray, window: BrowserWindow | null): void {
  if (process.platform !== 'win32') {
    app.setBadgeCount(tray.newFaxes + (tray.attention ?? 0) + (tray.dueItems ?? 0) + (tray.newItems ?? 0));
    return;
  }
  const words = tray.state === 'normal' ? '' : tray.tooltip;
  window?.setOverlayIcon(overlayIcon(tray.state), words);
}
