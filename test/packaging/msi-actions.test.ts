import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needTools, toolPath } from '../setup/tools.ts';
import { buildMsi } from './msi-package.ts';
import { WindowsComputer } from './windows-installer.ts';

const TOOLS = ['wine', 'makensis', 'wixl', 'msibuild'] as const;
const SERVICE = String.raw`HKLM\SYSTEM\CurrentControlSet\Services\Faxdesk`;
const RUN = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`;
const RULE = 'rule name="Faxdesk"';
const PROGRAM = String.raw`program="C:\Program Files\Faxdesk\Faxdesk.exe"`;
const REMOVE = `advfirewall firewall delete ${RULE} ${PROGRAM}`;
const ADD = `advfirewall firewall add ${RULE} dir=in action=allow profile=domain,private ${PROGRAM}`;

/** Wine ends with 1627 where Windows ends with 1603, and the system of the tests passes the last byte. */
const FAILED = 1627 % 256;

describe('the MSI package of Windows', () => {
  let computer: WindowsComputer;

  beforeAll(() => {
    if (TOOLS.some((name) => toolPath(name) === null)) return;
    computer = new WindowsComputer();
    buildMsi(join(computer.folder, 'first.msi'), '0.1.0');
    buildMsi(join(computer.folder, 'second.msi'), '0.2.0');
    computer.answerService(0);
  }, 180_000);
  afterAll(() => computer?.close());
  beforeEach((context) => {
    needTools(context, ...TOOLS);
    computer.serviceCalls();
    computer.firewallCalls();
    computer.serviceManagerCalls();
  });

  const msi = (action: '/i' | '/x' | '/f', name: string, ...words: string[]) =>
    computer.run('msiexec', action, name, '/qn', ...words).code;
  const enter = (key: string, name: string, text: string) =>
    computer.run('reg', 'add', key, '/v', name, '/d', text, '/f');

  /** The removal of the version before, as an update runs it on Windows; that of Wine does not say that it belongs to an update. */
  const update = () => {
    expect(msi('/x', 'first.msi', 'UPGRADINGPRODUCTCODE={B9A2D0F4-0000-0000-0000-000000000000}')).toBe(0);
    expect(msi('/i', 'second.msi')).toBe(0);
  };

  it('rule (desktop): makes the service when it is asked to, stops and renews it at an update, and removes it with the program', () => {
    expect(msi('/i', 'first.msi', 'SERVICE=true')).toBe(0);
    expect(computer.serviceCalls()).toEqual(['service create']);
    enter(SERVICE, 'ImagePath', 'C:\\x.exe');
    update();
    expect(computer.serviceCalls()).toEqual(['service stop', 'service create']);
    expect(msi('/x', 'second.msi')).toBe(0);
    expect(computer.serviceCalls()).toEqual(['service remove']);
    computer.run('reg', 'delete', SERVICE, '/f');
    expect(msi('/i', 'first.msi')).toBe(0);
    expect(msi('/x', 'first.msi')).toBe(0);
    expect(computer.serviceCalls()).toEqual([]);
  });

  it('opens the firewall only when it is asked to, and closes it at the removal, not at an update', () => {
    expect(msi('/i', 'first.msi', 'FIREWALL=true')).toBe(0);
    expect(computer.firewallCalls()).toEqual([REMOVE, ADD]);
    expect(existsSync(computer.path('Program Files/Faxdesk/Faxdesk.exe'))).toBe(true);
    update();
    expect(computer.firewallCalls()).toEqual([]);
    expect(msi('/x', 'second.msi')).toBe(0);
    expect(computer.firewallCalls()).toEqual([REMOVE]);
  });

  it('removes the start at sign-in of the person who removes it, unless another installation has it', () => {
    const start = (program: string) => enter(RUN, 'org.faxdesk.desktop', `"${program}" --hidden`);
    const isThere = () => computer.registry(RUN).includes('org.faxdesk.desktop');
    expect(msi('/i', 'first.msi')).toBe(0);
    start(String.raw`C:\Program Files\Faxdesk\Faxdesk.exe`);
    update();
    expect(isThere()).toBe(true);
    expect(msi('/x', 'second.msi')).toBe(0);
    expect(isThere()).toBe(false);
    expect(msi('/i', 'first.msi')).toBe(0);
    start(String.raw`C:\Users\maria\AppData\Local\Programs\Faxdesk\Faxdesk.exe`);
    expect(msi('/x', 'first.msi')).toBe(0);
    expect(isThere()).toBe(true);
  });

  it('rule (desktop): is not installed where the service cannot be made, and leaves nothing of it', () => {
    computer.answerService(1);
    computer.run('cmd', '/c', 'del', '/q', String.raw`C:\Program Files\Faxdesk\Faxdesk.exe`);
    expect(msi('/i', 'first.msi', 'SERVICE=true', 'FIREWALL=true')).toBe(FAILED);
    expect(computer.serviceCalls()).toEqual(['service create', 'service remove']);
    expect(computer.firewallCalls()).toEqual([REMOVE, ADD, REMOVE]);
    expect(existsSync(computer.path('Program Files/Faxdesk/Faxdesk.exe'))).toBe(false);
    computer.answerService(0);
  });

  it('is not installed where the rule of the firewall cannot be made', () => {
    computer.answerFirewall(1);
    expect(msi('/i', 'first.msi', 'FIREWALL=true')).toBe(FAILED);
    expect(existsSync(computer.path('Program Files/Faxdesk/Faxdesk.exe'))).toBe(false);
    computer.answerFirewall(0);
  });

  it('ends with an error at an update whose service does not run', () => {
    enter(SERVICE, 'ImagePath', 'C:\\x.exe');
    computer.answerService(1);
    computer.answerServiceManager(1062 % 256);
    expect(msi('/i', 'second.msi')).toBe(FAILED);
    expect(computer.serviceCalls()).toEqual(['service create']);
    expect(computer.serviceManagerCalls()).toEqual(['interrogate Faxdesk']);
    computer.answerServiceManager(0);
    computer.answerService(0);
    // Wine undoes the installation, although all of it was done by then.
    msi('/x', 'second.msi');
    computer.run('reg', 'delete', SERVICE, '/f');
  });
});
