import { expect, it } from 'vitest';
import { type InstallationFacts, installationProblem } from '../../main/updates/installation-check.ts';

const OWN = 'C:\\Users\\ann\\AppData\\Local';

const onWindows = (changes: Partial<InstallationFacts> = {}) =>
  installationProblem({
    platform: 'win32',
    program: `${OWN}\\Programs\\Faxdesk\\Faxdesk.exe`,
    downloads: null,
    isInApplications: false,
    appImage: null,
    session: 'Console',
    systemName: 'Windows 11 Pro',
    localAppData: OWN.toUpperCase(),
    installedFor: 'account',
    exists: (path) => path.endsWith('\\Uninstall Faxdesk.exe'),
    canWrite: async (folder) => folder === `${OWN}\\Programs\\Faxdesk`,
    ...changes,
  });

const onMac = (program: string, canWrite = true, changes: Partial<InstallationFacts> = {}) =>
  installationProblem({
    platform: 'darwin',
    program: `${program}/Faxdesk.app/Contents/MacOS/Faxdesk`,
    downloads: '/Users/ann/Downloads',
    isInApplications: false,
    appImage: null,
    session: undefined,
    systemName: 'Darwin Kernel Version 24',
    localAppData: undefined,
    installedFor: null,
    exists: () => false,
    canWrite: async (folder) => canWrite && folder === program,
    ...changes,
  });

it('an installation of a person takes new versions', async () => {
  expect(await onWindows()).toBe(null);
  expect(await onMac('/Applications')).toBe(null);
});

it.each(['Windows Server 2022 Standard', 'Windows 11 Enterprise multi-session'])(
  'no new versions are looked for on %s, where several people work',
  async (systemName) => {
    expect(await onWindows({ systemName })).toEqual({
      isFixed: true,
      sentence: expect.stringMatching(/^This computer is a server for several people/u),
    });
  },
);

it('no new versions are looked for where an MSI package or the office installed the program', async () => {
  expect(await onWindows({ exists: () => false })).toEqual({
    isFixed: true,
    sentence: expect.stringMatching(/^This Faxdesk was not installed with its own installer/u),
  });
});

it('no new versions are looked for where the installer for everyone was used, wherever it has put the program', async () => {
  expect(await onWindows({ installedFor: 'everyone' })).toEqual({
    isFixed: true,
    sentence: expect.stringMatching(/^This Faxdesk is installed for everyone/u),
  });
});

it('an installation from before the installer left its scope takes new versions', async () => {
  expect(await onWindows({ installedFor: null })).toBe(null);
});

it.each(['RDP-Tcp#12', 'ICA-TCP#3'])('nothing is installed from another computer (%s)', async (session) => {
  expect(await onWindows({ session })).toEqual({
    isFixed: false,
    sentence: expect.stringMatching(/Install the new version at the computer itself\.$/u),
  });
});

it('nothing is installed over a program for everyone, or without access to its folder', async () => {
  const program = 'C:\\Program Files\\Faxdesk\\Faxdesk.exe';
  expect((await onWindows({ program }))?.sentence).toMatch(/^This Faxdesk is installed for everyone/u);
  expect((await onWindows({ localAppData: undefined }))?.sentence).toMatch(/for everyone/u);
  const denied = await onWindows({ canWrite: async () => false });
  expect(denied?.sentence).toContain(`cannot change the folder of Faxdesk (${OWN}\\Programs\\Faxdesk)`);
  expect((await onMac('/Applications', false))?.sentence).toContain('(/Applications)');
});

it('no new versions are looked for where a package of Linux installed the program', async () => {
  const facts = {
    platform: 'linux',
    downloads: null,
    isInApplications: false,
    appImage: null,
    session: undefined,
    systemName: '#1 SMP Debian',
    localAppData: undefined,
    installedFor: null,
    exists: () => false,
    canWrite: async () => true,
  };
  expect(await installationProblem({ ...facts, program: '/opt/Faxdesk/faxdesk' })).toEqual({
    isFixed: true,
    sentence: expect.stringMatching(/^This Faxdesk was installed with a package of the system/u),
  });
  expect(await installationProblem({ ...facts, program: '/home/ann/optional/faxdesk' })).toBe(null);
});

it('an AppImage is replaced where its own folder can be written, not that of the program in it', async () => {
  const onLinux = (writable: string) =>
    installationProblem({
      platform: 'linux',
      program: '/tmp/.mount_Faxdes/faxdesk',
      downloads: null,
      isInApplications: false,
      appImage: '/home/ann/Programs/Faxdesk.AppImage',
      session: undefined,
      systemName: '#1 SMP Debian',
      localAppData: undefined,
      installedFor: null,
      exists: () => false,
      canWrite: async (folder) => folder === writable,
    });
  expect(await onLinux('/home/ann/Programs')).toBe(null);
  expect((await onLinux('/tmp/.mount_Faxdes'))?.sentence).toContain(
    'cannot change the folder of Faxdesk (/home/ann/Programs)',
  );
});

it.each([
  '/Volumes/Faxdesk 0.1.0',
  '/private/var/folders/ab/T/AppTranslocation/4F-1/d',
  '/Users/ann/Downloads',
  '/Users/ann/Downloads/Programs',
])('no new versions are looked for while the program of macOS runs from %s', async (place) => {
  expect(await onMac(place)).toEqual({
    isFixed: true,
    sentence: expect.stringMatching(/open it again, and choose Move to Applications\.$/u),
  });
  expect(await onMac(place, true, { isInApplications: true })).toBe(null);
});

it('a folder beside the downloads is none of them', async () => {
  expect(await onMac('/Users/ann/Downloads of the office')).toBe(null);
});
