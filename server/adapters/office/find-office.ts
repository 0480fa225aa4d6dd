import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Names of the program in the folders of PATH. On Windows the one that waits for the end. */
const NAMES = process.platform === 'win32' ? ['soffice.com'] : ['soffice', 'libreoffice'];

/** Variables of the operating system by which the program is looked for. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Usual places of the program. */
function usualPlaces(environment: Environment): string[] {
  const { platform } = process;
  if (platform === 'win32')
    return ['ProgramFiles', 'ProgramW6432', 'ProgramFiles(x86)']
      .map((name) => environment[name])
      .flatMap((folder) =>
        folder === undefined ? [] : [join(folder, 'LibreOffice', 'program', 'soffice.com')],
      );
  if (platform === 'darwin')
    return ['/', homedir()].map((folder) =>
      join(folder, 'Applications', 'LibreOffice.app', 'Contents', 'MacOS', 'soffice'),
    );
  return [
    '/usr/bin',
    '/usr/local/bin',
    ...['lib', 'lib64'].map((name) => `/usr/${name}/libreoffice/program`),
  ].map((folder) => join(folder, 'soffice'));
}

/**
 * Returns the path of LibreOffice: `given` where it is a program, otherwise the first of the usual places and of the folders of
 * PATH that has it; null without any. It is looked for each time, so one that is installed later is found.
 */
export async function findOffice(
  given: string | null | undefined,
  environment: Environment,
): Promise<string | null> {
  if (given === null) return null;
  if (given !== undefined) return (await isProgram(given)) ? given : null;
  const folders = (environment['PATH'] ?? environment['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '');
  const places = [
    ...usualPlaces(environment),
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ];
  for (const place of places) if (await isProgram(place)) return place;
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
