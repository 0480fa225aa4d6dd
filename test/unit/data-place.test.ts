import { posix, win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDataFolder, unusedFoldersSentence } from '../../shared/data-folder.ts';

const HOMES = { linux: '/home/ada', darwin: '/Users/ada', win32: 'C:\\Users\\ada' };
const WINDOWS = {
  LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local',
  APPDATA: '\\\\server\\profiles\\ada\\AppData\\Roaming',
};

/** With installations in these folders. */
function place(
  platform: keyof typeof HOMES,
  { environment = {}, installed = [] }: { environment?: Record<string, string>; installed?: string[] } = {},
) {
  const { join } = platform === 'win32' ? win32 : posix;
  const files = new Set(installed.map((folder) => join(folder, 'installation.key')));
  const exists = (path: string) => files.has(path);
  return findDataFolder({ platform, home: HOMES[platform], environment, join, exists });
}

describe('the data folder of an account', () => {
  test.each([
    ['linux', {}, '/home/ada/.local/share/faxdesk'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/faxdesk'],
    ['linux', { XDG_DATA_HOME: ' ' }, '/home/ada/.local/share/faxdesk'],
    ['darwin', {}, '/Users/ada/Library/Application Support/Faxdesk/data'],
    ['win32', WINDOWS, 'C:\\Users\\ada\\AppData\\Local\\Faxdesk\\data'],
    ['win32', {}, 'C:\\Users\\ada\\AppData\\Local\\Faxdesk\\data'],
  ] as const)('on %s with %j is local to the computer', (platform, environment, folder) => {
    expect(place(platform, { environment })).toEqual({ folder, unused: [] });
  });

  test.each([
    ['linux', {}, '/home/ada/.config/Faxdesk/data'],
    ['linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada/Faxdesk/data'],
    ['darwin', {}, '/Users/ada/Library/Application Support/Faxdesk'],
    ['win32', WINDOWS, `${WINDOWS.APPDATA}\\Faxdesk\\data`],
    ['win32', WINDOWS, `${WINDOWS.APPDATA}\\Faxdesk`],
  ] as const)(
    'on %s with %j stays where an earlier release has an installation',
    (platform, environment, folder) => {
      expect(place(platform, { environment, installed: [folder] })).toEqual({ folder, unused: [] });
    },
  );

  test('is the present place where both have an installation, and the other one is named', () => {
    const own = '/home/ada/.local/share/faxdesk';
    const former = '/home/ada/.config/Faxdesk/data';
    const found = place('linux', { installed: [former, own] });
    expect(found).toEqual({ folder: own, unused: [former] });
    expect(unusedFoldersSentence(found)).toBe(
      `Faxdesk uses ${own} and does not use the other installation in ${former}. To use that one, start Faxdesk with FAXDESK_DATA or --data. Otherwise, move it away.`,
    );
    expect(unusedFoldersSentence(place('linux', { installed: [own] }))).toBeNull();
  });
});
