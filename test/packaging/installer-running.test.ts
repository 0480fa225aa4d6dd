import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLOSE_REQUEST } from '../../main/close-request.ts';
import { needTools, toolPath } from '../setup/tools.ts';
import { WindowsComputer } from './windows-installer.ts';

const FOLDER = 'Program Files/Faxdesk';
const REQUEST = `${FOLDER}/resources/${CLOSE_REQUEST}`;
const NAMES = 'Program Files/Faxdesk policy/still-running.txt';

describe('an installer of Windows that is started while programs of Faxdesk run', () => {
  let computer: WindowsComputer;
  const hasTools = toolPath('wine') !== null && toolPath('makensis') !== null;

  beforeAll(() => {
    if (hasTools) computer = new WindowsComputer();
  }, 180_000);
  afterAll(() => computer?.close());
  beforeEach((context) => {
    needTools(context, 'wine', 'makensis');
    for (const path of [FOLDER, 'Program Files/Faxdesk policy'])
      rmSync(computer.path(path), { recursive: true, force: true });
  });
  afterEach(async () => {
    if (hasTools) await computer.endProgram();
  });

  const isInstalled = () => existsSync(computer.path(FOLDER, 'uninstall.exe'));

  it('rule (desktop): has them finish and close by themselves, and goes on then', async () => {
    await computer.startProgram('Faxdesk.exe', FOLDER, { ends: true });
    expect(computer.install('everyone')).toBe(0);
    expect(computer.hasProgramEnded).toBe(true);
    expect(isInstalled()).toBe(true);
    expect(existsSync(computer.path(REQUEST))).toBe(false);
  });

  it('rule (desktop): ends none of them, and changes nothing while one runs, and leaves its name', async () => {
    await computer.startProgram('Held open.exe', FOLDER, { ends: false });
    expect(computer.install('everyone')).toBe(6);
    expect(computer.hasProgramEnded).toBe(false);
    expect(isInstalled()).toBe(false);
    expect(existsSync(computer.path(REQUEST))).toBe(false);
    const names = readFileSync(computer.path(NAMES), 'utf16le');
    expect(names.replace('\ufeff', '').trim()).toBe('Held open.exe');
  });

  it('removes nothing either while one runs', async () => {
    expect(computer.install('everyone')).toBe(0);
    await computer.startProgram('Faxdesk.exe', FOLDER, { ends: false });
    computer.uninstall('everyone');
    expect(computer.hasProgramEnded).toBe(false);
    expect(existsSync(computer.path(FOLDER, 'resources/installed-for'))).toBe(true);
    await computer.endProgram();
    computer.uninstall('everyone');
  });

  it('leaves programs of a folder beside it alone', async () => {
    await computer.startProgram('Faxdesk.exe', 'Program Files/Faxdesk Beta', { ends: true });
    expect(computer.install('everyone')).toBe(0);
    expect(computer.hasProgramEnded).toBe(false);
    expect(existsSync(computer.path('Program Files/Faxdesk Beta/resources', CLOSE_REQUEST))).toBe(false);
  });

  it('removes a request that an installer before has left', () => {
    computer.install('everyone');
    writeFileSync(computer.path(REQUEST), '');
    expect(computer.install('everyone')).toBe(0);
    expect(existsSync(computer.path(REQUEST))).toBe(false);
  });
});
