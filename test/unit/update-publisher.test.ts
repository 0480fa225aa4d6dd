import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPublisher, type RunProgram } from '../../main/updates/publisher.ts';

describe('the publisher of an installer on Windows', () => {
  const check = async (output: string, { isFromMakers = false, isFailed = false } = {}) => {
    const started: Parameters<RunProgram>[] = [];
    const outcome = await checkPublisher("C:\\Users\\it's\\Faxdesk.exe", {
      platform: 'win32',
      program: 'C:\\Programs\\Faxdesk\\Faxdesk.exe',
      systemFolder: 'D:\\Windows',
      isFromMakers,
      run: async (...words) => {
        started.push(words);
        return { isFailed, output };
      },
    });
    return { outcome, started };
  };

  it('is the one of the running program, as Windows checks it', async () => {
    const { outcome, started } = await check('Valid Valid True\r\n');
    expect(outcome).toBe('confirmed');
    const [[program, words, environment] = []] = started;
    expect(program).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    // No path is in the words, where it would be read as a script.
    expect(words?.join(' ')).not.toContain('Users');
    expect(environment).toMatchObject({ FAXDESK_INSTALLER: "C:\\Users\\it's\\Faxdesk.exe" });
  });

  it.each([
    'Valid Valid False',
    'Valid NotSigned False',
    'Valid HashMismatch True',
    'UnknownError NotSigned False',
  ])(
    'rule (desktop): an installer is not offered where the system does not confirm its publisher [Windows: %s]',
    async (output) => expect((await check(output)).outcome).toBe('refused'),
  );

  it('may have another name where the makers have signed the entry, and is signed all the same', async () => {
    expect((await check('Valid Valid False', { isFromMakers: true })).outcome).toBe('confirmed');
    expect((await check('Valid NotSigned False', { isFromMakers: true })).outcome).toBe('refused');
  });

  it('does not matter where the running program is not signed either', async () => {
    expect((await check('NotSigned NotSigned True')).outcome).toBe('confirmed');
  });

  it('is unknown where the check itself fails', async () => {
    expect((await check('')).outcome).toBe('unknown');
    expect((await check('Valid Valid True', { isFailed: true })).outcome).toBe('unknown');
  });
});

const DESIGNATED =
  'identifier "org.faxdesk.desktop" and anchor apple generic and certificate leaf[subject.OU] = ABCDE12345';
const SIGNED = `Executable=/Applications/Faxdesk.app/Contents/MacOS/Faxdesk\ndesignated => ${DESIGNATED}\n`;

describe('the publisher of an installer on macOS', () => {
  const check = async (own: string, failing: string[] = [], isFromMakers = false) => {
    const started: string[] = [];
    let mounted = '';
    const outcome = await checkPublisher('/downloads/Faxdesk.dmg', {
      platform: 'darwin',
      program: '/Applications/Faxdesk.app/Contents/MacOS/Faxdesk',
      systemFolder: undefined,
      isFromMakers,
      run: async (program, words) => {
        started.push([program, ...words].join(' '));
        if (words[0] === 'attach') mounted = words[5] ?? '';
        return { isFailed: failing.includes(words[0] ?? ''), output: words[0] === '--display' ? own : '' };
      },
    });
    return { outcome, started, isLeft: mounted !== '' && existsSync(mounted) };
  };

  it('is the one of the running program, checked in the disk image that is closed again', async () => {
    const { outcome, started, isLeft } = await check(SIGNED);
    expect(outcome).toBe('confirmed');
    expect(started[0]).toBe('/usr/bin/codesign --display --requirements - /Applications/Faxdesk.app');
    expect(started[1]).toMatch(/^\/usr\/bin\/hdiutil attach .*\/downloads\/Faxdesk\.dmg$/u);
    expect(started[2]).toMatch(/^\/usr\/bin\/codesign --verify --deep --strict .*\/Faxdesk\.app$/u);
    expect(started[2]).toContain(`-R =${DESIGNATED} `);
    expect(started[3]).toMatch(/^\/usr\/bin\/hdiutil detach /u);
    expect([started.length, isLeft]).toEqual([4, false]);
  });

  it('is refused when it is another one, and the disk image is closed', async () => {
    const { outcome, started, isLeft } = await check(SIGNED, ['--verify']);
    expect(outcome).toBe('refused');
    expect([started.at(-1)?.split(' ')[1], isLeft]).toEqual(['detach', false]);
  });

  it('may be another developer where the makers have signed the entry', async () => {
    const { outcome, started } = await check(SIGNED, [], true);
    expect(outcome).toBe('confirmed');
    expect(started[2]).toContain('-R =anchor apple generic and certificate 1[');
    expect(started[2]).not.toContain('ABCDE12345');
    expect((await check(SIGNED, ['--verify'], true)).outcome).toBe('refused');
  });

  it('does not matter where the running program is signed for this computer alone, or not at all', async () => {
    const forTryingOut = await check('# designated => cdhash H"0123456789abcdef"\n');
    const unsigned = await check('Faxdesk.app: code object is not signed at all', ['--display']);
    for (const { outcome, started } of [forTryingOut, unsigned])
      expect([outcome, started.length]).toEqual(['confirmed', 1]);
  });

  it('is unknown where the disk image cannot be opened, or the check fails', async () => {
    expect((await check(SIGNED, ['attach'])).outcome).toBe('unknown');
    expect((await check('', ['--display'])).outcome).toBe('unknown');
  });
});

it('the publisher of an AppImage is not checked: Linux has none', async () => {
  const run = () => Promise.reject(new Error('started'));
  const parts = { program: '/faxdesk', systemFolder: undefined, isFromMakers: false, run };
  expect(await checkPublisher('/new.AppImage', { ...parts, platform: 'linux' })).toBe('confirmed');
  expect(await checkPublisher('/new.dmg', { ...parts, platform: 'darwin' })).toBe('unknown');
});
