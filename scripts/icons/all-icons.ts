import { readFile } from 'node:fs/promises';
import { applicationIcons } from './application.ts';
import { trayIcons } from './tray.ts';

export const ICONS = new URL('../../resources/icons/', import.meta.url);

/** Every file that is made from the drawings in `resources/icons/source`, by its path below `resources/icons`. */
export async function allIcons(): Promise<Map<string, Buffer>> {
  const read = (path: string) => readFile(new URL(`source/${path}`, ICONS), 'utf8');
  const [application, tray] = await Promise.all([applicationIcons(read), trayIcons(read)]);
  return new Map([...application, ...tray]);
}
