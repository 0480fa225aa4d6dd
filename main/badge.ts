import { app, type BrowserWindow } from 'electron';
import type { DesktopTray } from '../shared/desktop.ts';
import { overlayIcon } from './icons.ts';

/** New faxes on the application's own icon: a number on macOS and Linux, a mark on Windows, which knows no numbers. */
export function showBadge(tray: DesktopTray, window: BrowserWindow | null): void {
  if (process.platform !== 'win32') {
    app.setBadgeCount(tray.newFaxes);
    return;
  }
  const words = tray.state === 'normal' ? '' : tray.tooltip;
  window?.setOverlayIcon(overlayIcon(tray.state), words);
}
