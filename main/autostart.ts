import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import { appImagePath } from './environment.ts';
import { writeOwnerFile } from './owner-file.ts';

/** Started at login the window stays closed: the tray shows that Faxdesk runs. */
export const HIDDEN_ARGUMENT = '--hidden';

/** Turns on or off that Faxdesk starts when this person signs in to the computer. */
export async function setStartAtLogin(wanted: boolean): Promise<void> {
  if (process.platform === 'linux') return setForLinux(wanted);
  app.setLoginItemSettings({ openAtLogin: wanted, args: [HIDDEN_ARGUMENT] });
}

/** Linux desktops start what lies in this folder. */
async function setForLinux(wanted: boolean): Promise<void> {
  const path = join(app.getPath('appData'), 'autostart', 'faxdesk.desktop');
  if (!wanted) return rm(path, { force: true });
  const program = appImagePath() ?? process.execPath;
  const words = app.isPackaged ? [program] : [program, app.getAppPath()];
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Faxdesk',
    `Exec=${[...words.map(quoteArgument), HIDDEN_ARGUMENT].join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
  ];
  await writeOwnerFile(path, `${lines.join('\n')}\n`);
}

/** As the Desktop Entry Specification quotes an argument; the backslashes once more for the string itself. */
function quoteArgument(word: string): string {
  const argument = word.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll('%', '%%');
  return `"${argument.replaceAll('\\', '\\\\')}"`;
}
