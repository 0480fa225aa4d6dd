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

  it('is installed also where the service cannot be made', () => {
    computer.answerService(1);
    expect(msi('/i', 'first.msi', 'SERVICE=true')).toBe(0);
    expect(computer.serviceCalls()).toEqual(['service create']);
    expect(msi('/x', 'first.msi')).toBe(0);
  });
});
