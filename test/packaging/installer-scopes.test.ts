import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import { needTools, toolPath } from '../setup/tools.ts';
import { buildMsi, msiProject } from './msi-package.ts';
import { INCLUDE, WindowsComputer } from './windows-installer.ts';

const TOOLS = ['wine', 'makensis', 'wixl', 'msibuild'] as const;
const EVERYONE = String.raw`HKLM\Software\038e76c9-6cfc-49c6-b7d2-4785ab782114`;
const ACCOUNT = String.raw`Software\79e4ed6f-e50b-5f56-8423-0786c6af13a9`;
/** 1603 of Windows Installer, of which the system of the tests passes the last byte. */
const REFUSED_PACKAGE = 1603 % 256;

const { UUID } = createRequire(join(ROOT, 'node_modules/app-builder-lib/package.json'))(
  'builder-util-runtime',
) as { UUID: { parse: (id: string) => Buffer; v5: (name: string, namespace: Buffer) => string } };

/** Namespace of the products of electron-builder. */
const PRODUCTS = UUID.parse('50e065bc-3134-11e6-9bab-38c9862bdaf3');

it('the installers and the package name each other as electron-builder makes them', () => {
  const lines = readFileSync(INCLUDE, 'utf8');
  const defined = (name: string) => new RegExp(`!define ${name} "(.+)"`, 'u').exec(lines)?.[1];
  const [own, everyone] = ['electron-builder.yml', 'electron-builder-everyone.yml'].map((name) =>
    readFileSync(join(ROOT, name), 'utf8'),
  );
  const account = UUID.v5(/^appId: (\S+)/mu.exec(own ?? '')?.[1] ?? '', PRODUCTS);
  const package_ = /upgradeCode: (\S+)/u.exec(own ?? '')?.[1] ?? '';
  expect(defined('FAXDESK_FOR_ACCOUNT')).toBe(account);
  expect(defined('FAXDESK_PACKAGE')).toBe(`{${package_.toUpperCase()}}`);
  expect(defined('FAXDESK_FOR_EVERYONE')).toBe(/guid: (\S+)/u.exec(everyone ?? '')?.[1]);
  const searches = [
    ...msiProject().matchAll(/<RegistrySearch .*? Root="(\w+)" Key="([^"]+)" Name="InstallLocation"/gu),
  ];
  expect(searches.map(([, root, key]) => `${root}\\${key}`)).toEqual([EVERYONE, `HKCU\\${ACCOUNT}`]);
});

describe('a computer with Faxdesk of another installer', () => {
  let computer: WindowsComputer;

  beforeAll(() => {
    if (TOOLS.some((name) => toolPath(name) === null)) return;
    computer = new WindowsComputer();
    buildMsi(join(computer.folder, 'first.msi'), '0.1.0');
    buildMsi(join(computer.folder, 'second.msi'), '0.2.0');
  }, 180_000);
  afterAll(() => computer?.close());
  beforeEach((context) => {
    needTools(context, ...TOOLS);
    rmSync(computer.path('Program Files/Faxdesk'), { recursive: true, force: true });
    for (const key of [EVERYONE, `HKCU\\${ACCOUNT}`, `HKU\\.DEFAULT\\${ACCOUNT}`])
      computer.run('reg', 'delete', key, '/f');
  });

  const enter = (key: string) =>
    expect(computer.run('reg', 'add', key, '/v', 'InstallLocation', '/d', String.raw`C:\x`, '/f').code).toBe(
      0,
    );
  const msi = (action: '/i' | '/x', name: string) => computer.run('msiexec', action, name, '/qn').code;
  const isThere = (name: string) => existsSync(computer.path('Program Files/Faxdesk', name));

  it('rule (desktop): is refused by the package of Windows, but not for an update', () => {
    enter(EVERYONE);
    expect(msi('/i', 'first.msi')).toBe(REFUSED_PACKAGE);
    computer.run('reg', 'delete', EVERYONE, '/f');
    enter(`HKCU\\${ACCOUNT}`);
    expect(msi('/i', 'first.msi')).toBe(REFUSED_PACKAGE);
    expect(isThere('Faxdesk.exe')).toBe(false);
    computer.run('reg', 'delete', `HKCU\\${ACCOUNT}`, '/f');
    expect(msi('/i', 'first.msi')).toBe(0);
    expect(isThere('Faxdesk.exe')).toBe(true);
    // A person who signs in later and has a copy of before does not stop an update.
    enter(`HKCU\\${ACCOUNT}`);
    expect(msi('/i', 'second.msi')).toBe(0);
    expect(msi('/x', 'second.msi')).toBe(0);
    expect(isThere('Faxdesk.exe')).toBe(false);
  });

  it('rule (desktop): is refused by the two installers of Windows where it has the package', () => {
    expect(msi('/i', 'first.msi')).toBe(0);
    expect(computer.install('account')).toBe(4);
    expect(computer.install('everyone', '/UPDATES=off')).toBe(4);
    expect(existsSync(computer.path('Program Files/Faxdesk policy'))).toBe(false);
    expect(isThere('uninstall.exe')).toBe(false);
    expect(msi('/x', 'first.msi')).toBe(0);
    expect(computer.install('account')).toBe(0);
    computer.uninstall('account');
  });

  it.each(['HKCU', String.raw`HKU\.DEFAULT`])(
    'is refused by the one for everyone where an account has a copy (%s), but not for an update',
    (root) => {
      enter(`${root}\\${ACCOUNT}`);
      expect(computer.install('everyone', '/UPDATES=off')).toBe(4);
      expect(existsSync(computer.path('Program Files/Faxdesk policy'))).toBe(false);
      expect(isThere('uninstall.exe')).toBe(false);
      // Its own updates go on.
      enter(EVERYONE);
      expect(computer.install('everyone')).toBe(0);
      computer.uninstall('everyone');
    },
  );
});
