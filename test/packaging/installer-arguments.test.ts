import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { officeFile, parseOfficeFile } from '../../main/office-file.ts';
import { fencedBlocks } from '../setup/fenced-blocks.ts';
import { needTools, toolPath } from '../setup/tools.ts';
import { WindowsComputer } from './windows-installer.ts';

const PAGE = 'docs/operating/many-computers.md';
const PAIRS = Array.from({ length: 32 }, (_, index) => (160 + index).toString(16).toUpperCase());
const FINGERPRINT = PAIRS.join(':');
const GATEWAY = '/GATEWAY=https://fax.example.office:8443';
const CERTIFICATE = `/CERTIFICATE=${FINGERPRINT}`;
const PROGRAM = String.raw`program="C:\Program Files\Faxdesk\Faxdesk.exe"`;
const REMOVE = `advfirewall firewall delete rule name="Faxdesk" ${PROGRAM}`;
const ADD = `advfirewall firewall add rule name="Faxdesk" dir=in action=allow profile=domain,private ${PROGRAM}`;
/** In the place of the application on a computer with Windows. */
const FILE = officeFile('win32', undefined).replace('C:\\', '').replaceAll('\\', '/');

describe('an installer of Windows', () => {
  let computer: WindowsComputer;
  const hasTools = toolPath('wine') !== null && toolPath('makensis') !== null;

  beforeAll(() => {
    if (hasTools) computer = new WindowsComputer();
  }, 180_000);
  afterAll(() => computer?.close());
  beforeEach((context) => {
    needTools(context, 'wine', 'makensis');
    rmSync(computer.path('Program Files/Faxdesk policy'), { recursive: true, force: true });
    rmSync(computer.path('Program Files/Faxdesk'), { recursive: true, force: true });
    computer.answerFirewall(0);
    computer.firewallCalls();
    computer.serviceCalls();
  });

  const written = () => (existsSync(computer.path(FILE)) ? readFileSync(computer.path(FILE), 'utf8') : null);
  const isInstalled = () => existsSync(computer.path('Program Files/Faxdesk/uninstall.exe'));

  it('rule (desktop): for everyone writes the decisions of the office where the application reads them', () => {
    const updates = String.raw`/UPDATES=\\büro\fax desk 传`;
    const decided = [GATEWAY, CERTIFICATE, '/START_AT_LOGIN=true', '/NETWORK=off', updates];
    expect(computer.install('everyone', ...decided)).toBe(0);
    expect(isInstalled()).toBe(true);
    expect(parseOfficeFile(written())).toEqual({
      gateway: { address: 'https://fax.example.office:8443', fingerprint: FINGERPRINT },
      startAtLogin: true,
      isNetworkOff: true,
      updates: String.raw`\\büro\fax desk 传`,
    });
    expect(readFileSync(computer.path('Program Files/Faxdesk/resources/installed-for'), 'utf8')).toBe(
      'everyone',
    );
  });

  it('for everyone takes a certificate without colons, and writes what was said and nothing else', () => {
    expect(computer.install('everyone', GATEWAY, `/certificate=${PAIRS.join('').toLowerCase()}`)).toBe(0);
    expect(parseOfficeFile(written())).toEqual({
      gateway: { address: 'https://fax.example.office:8443', fingerprint: FINGERPRINT },
    });
    expect(computer.install('everyone', GATEWAY)).toBe(0);
    expect(parseOfficeFile(written())).toEqual({
      gateway: { address: 'https://fax.example.office:8443', fingerprint: null },
    });
    expect(computer.install('everyone', '/START_AT_LOGIN=false')).toBe(0);
    expect(parseOfficeFile(written())).toEqual({ startAtLogin: false });
  });

  it('for everyone leaves the decisions alone without arguments, and at the removal', () => {
    mkdirSync(computer.path('Program Files/Faxdesk policy'));
    writeFileSync(computer.path(FILE), '{"updates":"off"}');
    expect(computer.install('everyone')).toBe(0);
    expect(written()).toBe('{"updates":"off"}');
    computer.uninstall('everyone');
    expect(written()).toBe('{"updates":"off"}');
    expect(computer.firewallCalls()).toEqual([REMOVE]);
  });

  it.each([
    ['a certificate without its gateway', [CERTIFICATE]],
    ['an address without https', ['/GATEWAY=fax.example.office', CERTIFICATE]],
    ['a certificate that is too short', [GATEWAY, '/CERTIFICATE=3F:0A']],
    ['a start at login that is neither true nor false', ['/START_AT_LOGIN=yes']],
    ['a firewall that is neither true nor false', ['/FIREWALL=on']],
    ['a service that is neither true nor false', ['/SERVICE=yes']],
    ['a network that is neither on nor off', ['/NETWORK=false']],
    ['a place for new versions that is too long', [`/UPDATES=/srv/${'x'.repeat(500)}`]],
  ])('for everyone installs nothing with %s', (_, args) => {
    expect(computer.install('everyone', ...args)).toBe(2);
    expect(written()).toBeNull();
    expect(isInstalled()).toBe(false);
    expect(computer.firewallCalls()).toEqual([]);
  });

  it('for everyone installs nothing where the decisions cannot be written', () => {
    writeFileSync(computer.path('Program Files/Faxdesk policy'), 'no folder');
    expect(computer.install('everyone', '/UPDATES=off')).toBe(3);
    expect(isInstalled()).toBe(false);
  });

  it('rule (desktop): opens the firewall only when it is asked to, and closes it at the removal, not at an update', () => {
    expect(computer.install('everyone', '/FIREWALL=false')).toBe(0);
    expect(computer.firewallCalls()).toEqual([]);
    expect(computer.install('everyone', '/FIREWALL=true')).toBe(0);
    expect(computer.firewallCalls()).toEqual([REMOVE, ADD]);
    computer.uninstall('everyone', '--updated');
    expect(computer.firewallCalls()).toEqual([]);
    expect(computer.install('everyone')).toBe(0);
    computer.uninstall('everyone');
    expect(computer.firewallCalls()).toEqual([REMOVE]);
  });

  it('installs nothing where the firewall cannot be changed', () => {
    computer.answerFirewall(1);
    expect(computer.install('everyone', '/FIREWALL=true')).toBe(3);
    expect(isInstalled()).toBe(false);
  });

  it('rule (desktop): makes the service when it is asked to, stops it for an update, and removes it with the program', () => {
    computer.answerService(0);
    expect(computer.install('everyone', '/SERVICE=false')).toBe(0);
    expect(computer.serviceCalls()).toEqual([]);
    expect(computer.install('everyone', '/SERVICE=true')).toBe(0);
    expect(computer.serviceCalls()).toEqual(['service create']);
    // As the command leaves it.
    mkdirSync(computer.path('Program Files/Faxdesk policy'), { recursive: true });
    writeFileSync(computer.path('Program Files/Faxdesk policy/service.json'), '{}');
    expect(computer.install('everyone')).toBe(0);
    expect(computer.serviceCalls()).toEqual(['service stop', 'service create']);
    computer.uninstall('everyone', '--updated');
    expect(computer.serviceCalls()).toEqual(['service stop']);
    computer.uninstall('everyone');
    expect(computer.serviceCalls()).toEqual(['service stop', 'service remove']);
  });

  it('changes nothing where the service cannot be stopped, and says where it does not start', () => {
    computer.answerService(1);
    expect(computer.install('everyone', '/SERVICE=true')).toBe(5);
    expect(isInstalled()).toBe(true);
    rmSync(computer.path('Program Files/Faxdesk/uninstall.exe'));
    mkdirSync(computer.path('Program Files/Faxdesk policy'), { recursive: true });
    writeFileSync(computer.path('Program Files/Faxdesk policy/service.json'), '{}');
    expect(computer.install('everyone')).toBe(3);
    expect(isInstalled()).toBe(false);
  });

  it.each([
    GATEWAY,
    CERTIFICATE,
    '/START_AT_LOGIN=true',
    '/UPDATES=off',
    '/FIREWALL=true',
    '/NETWORK=off',
    '/SERVICE=true',
  ])('for an account takes no decision of an office: %s', (argument) => {
    expect(computer.install('account', argument)).toBe(2);
    expect(written()).toBeNull();
    expect(computer.firewallCalls()).toEqual([]);
  });

  it('writes into the part of the registry that is its own, and removes it', () => {
    const scopes = [
      ['account', 'HKCU', 'HKLM'],
      ['everyone', 'HKLM', 'HKCU'],
    ] as const;
    // Left by another test.
    for (const [, root] of scopes)
      for (const name of CLASSES) computer.run('reg', 'delete', `${root}\\${name}`, '/f');
    for (const [scope, root, other] of scopes) {
      expect(computer.install(scope)).toBe(0);
      for (const name of CLASSES) {
        expect(computer.registry(`${root}\\${name}`)).toContain('Faxdesk.exe" "%1"');
        expect(computer.registry(`${other}\\${name}`)).toBe('');
      }
      computer.uninstall(scope);
      for (const name of CLASSES) expect(computer.registry(`${root}\\${name}`)).toBe('');
    }
  });

  it('rule (desktop): keeps the start at sign-in at an update, and leaves none behind at the removal', () => {
    const run = String.raw`Software\Microsoft\Windows\CurrentVersion\Run`;
    const approved = String.raw`Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`;
    const name = 'org.faxdesk.desktop';
    const add = (key: string, value: string) =>
      computer.run('reg', 'add', key, '/v', name, '/d', value, '/f');
    const local = computer.run('cmd', '/c', 'echo %LOCALAPPDATA%').output.trim();
    const account = `${local}\\Programs\\Faxdesk\\Faxdesk.exe --hidden`;
    const everyone = String.raw`"C:\Program Files\Faxdesk\Faxdesk.exe" --hidden`;
    const kept = (root = 'HKCU') => computer.registry(`${root}\\${run}`).includes(name);
    expect(computer.install('account')).toBe(0);
    add(`HKCU\\${run}`, account);
    add(`HKCU\\${approved}`, 'x');
    computer.uninstall('account', '--updated');
    expect(kept()).toBe(true);
    expect(computer.install('account')).toBe(0);
    computer.uninstall('account');
    expect(kept()).toBe(false);
    expect(computer.registry(`HKCU\\${approved}`)).not.toContain(name);
    expect(computer.install('everyone')).toBe(0);
    add(`HKCU\\${run}`, account);
    add(`HKU\\.DEFAULT\\${run}`, everyone);
    computer.uninstall('everyone');
    expect([kept(), kept('HKU\\.DEFAULT')], 'another installation has its own').toEqual([true, false]);
    computer.run('reg', 'delete', `HKCU\\${run}`, '/v', name, '/f');
  });

  it('for an account is refused where Faxdesk is installed for everyone', () => {
    const key = String.raw`HKLM\Software\038e76c9-6cfc-49c6-b7d2-4785ab782114`;
    computer.run(
      'reg',
      'add',
      key,
      '/v',
      'InstallLocation',
      '/d',
      String.raw`C:\Program Files\Faxdesk`,
      '/f',
    );
    try {
      expect(computer.install('account')).toBe(4);
    } finally {
      computer.run('reg', 'delete', key, '/f');
    }
    expect(computer.install('account')).toBe(0);
    computer.uninstall('account');
  });

  it('takes the command of the page about many computers as it is printed', () => {
    const block = fencedBlocks(PAGE).find(({ language }) => language === 'bat');
    const [command = ''] = block?.text.split('\n') ?? [];
    const [, ...words] = /^start \/wait \S+-everyone\.exe \/S (.*)$/u.exec(command) ?? [];
    expect(computer.install('everyone', ...(words[0]?.split(' ') ?? []))).toBe(0);
    expect(Object.keys(parseOfficeFile(written()) ?? {}).toSorted()).toEqual([
      'gateway',
      'startAtLogin',
      'updates',
    ]);
  });
});

const CLASSES = [
  'faxdesk',
  ...['.pdf', '.tif', '.tiff'].map((it) => `SystemFileAssociations\\${it}\\shell\\Faxdesk`),
].map((name) => `Software\\Classes\\${name}`);
