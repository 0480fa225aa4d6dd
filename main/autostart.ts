import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import { appImagePath } from './environment.ts';
import { writeOwnerFile } from './owner-file.ts';

/** Argument of an automatic start: the window stays closed, and the tray icon shows that Faxdesk is running. */
export const HIDDEN_ARGUMENT = '--hidden';

/** Name of the value by which Windows starts the application, which the uninstaller removes. */
const RUN_NAME = 'org.faxdesk.desktop';

/** Turns the automatic start at sign-in to the computer on or off. */
export async function setStartAtLogin(wanted: boolean): Promise<void> {
  if (process.platform === 'linux') return setForLinux(wanted);
  app.setLoginItemSettings({ openAtLogin: wanted, args: [HIDDEN_ARGUMENT], name: RUN_NAME });
}

/** Writes or removes the entry in the folder whose entries Linux desktops start at sign-in. */
async function setForLinux(wanted: boolean): Promise<void> {
  const path = join(app.getPath('appData'), 'autostart', 'faxdesk.desktop');
  if (!wanted) return rm(path, { force: true });
  const program = appImagePath() ?? process.execPath;
  const command = app.isPackaged ? [program] : [program, app.getAppPath()];
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Faxdesk',
    // Without the program, as after its removal, nothing is started.
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec=${[...command.map(quoteArgument), HIDDEN_ARGUMENT].join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
  ];
  await writeOwnerFile(path, `${lines.join('\n')}\n`);
}

/** Quotes an argument by the Desktop Entry Specification, which escapes backslashes a second time in the value. */
function quoteArgument(word: string): string {
  const argument = word.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll('%', '%%');
  return `"${argument.replaceAll('\\', '\\\\')}"`;
}
