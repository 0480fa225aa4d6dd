import { type NativeImage, nativeImage, nativeTheme } from 'electron';
import type { TrayState } from '../shared/desktop.ts';
import { resourceFile } from './files.ts';

/** The tray's picture of a state: on macOS a template that the menu bar colors, elsewhere one for its theme. */
export function trayIcon(state: TrayState): NativeImage {
  if (process.platform === 'darwin') {
    const image = nativeImage.createFromPath(resourceFile('icons', 'tray', `${state}Template.png`));
    image.setTemplateImage(true);
    return image;
  }
  const theme = nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
  // Linux requests no size other than the given one, and needs a larger one than Windows.
  const folder = process.platform === 'linux' ? ['tray', 'linux'] : ['tray'];
  return nativeImage.createFromPath(resourceFile('icons', ...folder, `${state}-${theme}.png`));
}

/** Returns the overlay of the icon in the Windows taskbar; null for none. */
export function overlayIcon(state: TrayState): NativeImage | null {
  if (state === 'normal') return null;
  const image = nativeImage.createFromPath(resourceFile('icons', 'overlay', `${state}.png`));
  return image.isEmpty() ? trayIcon(state) : image;
}
