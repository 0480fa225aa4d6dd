import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { planRemoval, planService, planStop } from '../../server/cli/service/computer-service.ts';
import { freeAccountId } from '../../server/cli/service/launchd.ts';
import { createService, removeService, showService } from '../../server/cli/service/manage-service.ts';
import { carryOut, thisSystem } from '../../server/cli/service/service-system.ts';
import { requireServiceFolder } from '../../server/cli/service/start-check.ts';
import { type Answer, describeStep } from '../../server/cli/service/steps.ts';
import { serviceSid } from '../../server/cli/service/windows.ts';
import { ServiceComputer } from '../setup/service-computer.ts';
import { needTools } from '../setup/tools.ts';

const PLIST = '/Library/LaunchDaemons/org.faxdesk.desktop.gateway.plist';
const SERVICE_FILE = '/Library/Application Support/Faxdesk/service.json';
const ELEVATED = '"Mandatory Label\\High Mandatory Level","Label","S-1-16-12288",""';
const NOTHING = { data: null, port: null };

const READ_PLIST = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';

/** A Mac whose service manager has no service and no account. */
function mac(): ServiceComputer {
  const computer = new ServiceComputer('darwin');
  computer.answer = (call) => {
    if (call.startsWith('launchctl print')) return { code: 113 };
    if (call.startsWith('dscl . -read')) return { code: 56 };
    if (call === 'dscl . -list /Users UniqueID') return { output: 'root  0\n_mysql  74\n_other  499\n' };
    if (call === 'dscl . -list /Groups PrimaryGroupID')
      return { output: 'wheel  0\nnobody  -2\n_more  498\n' };
    return undefined;
  };
  return computer;
}

/** A Windows whose service manager has no service, for an administrator. */
function windows(groups = ELEVATED): ServiceComputer {
  const computer = new ServiceComputer('win32');
  computer.answer = (call) => {
    if (call.startsWith('whoami.exe')) return { output: groups };
    if (call === 'sc.exe query Faxdesk') return { code: 1060 };
    return undefined;
  };
  return computer;
}

test('rule (desktop): the daemon of launchd runs under an account of the service alone, and starts again after a failure', async (context) => {
  needTools(context, 'python3');
  const computer = mac();
  const { steps } = await planService(computer, { data: null, port: 8085 });
  await carryOut(computer, steps);
  const { stdout } = spawnSync('python3', ['-c', READ_PLIST], {
    input: computer.files.get(PLIST),
    encoding: 'utf8',
  });
  const program = '/Library/Application Support/Faxdesk/program';
  const data = '/Library/Application Support/Faxdesk/data';
  expect(JSON.parse(stdout)).toEqual({
    Label: 'org.faxdesk.desktop.gateway',
    ProgramArguments: [
      `${program}/bin/node`,
      '--max-semi-space-size=2',
      `${program}/server/faxdesk.mjs`,
      'serve',
      '--as-service',
      '--data',
      data,
      '--port',
      '8085',
    ],
    UserName: '_faxdesk',
    GroupName: '_faxdesk',
    WorkingDirectory: data,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 15,
    ExitTimeOut: 30,
    ProcessType: 'Standard',
    Umask: 0o77,
    EnvironmentVariables: { NODE_DISABLE_COMPILE_CACHE: '1' },
    StandardOutPath: '/dev/null',
    StandardErrorPath: '/Library/Logs/Faxdesk/service.log',
  });
  expect(computer.modes.get(PLIST)).toBe(0o644);
  expect(computer.files.get(`${program}/service.env`)).toBe(`FAXDESK_DATA=${data}\n`);
  expect(computer.files.get(`${data}/.env`)).toBe('HTTPS_ENABLED=true\nHTTPS_HOST=127.0.0.1\n');
  expect(computer.calls.slice(4)).toEqual([
    'dscl . -create /Groups/_faxdesk',
    'dscl . -create /Groups/_faxdesk PrimaryGroupID 497',
    'dscl . -create /Groups/_faxdesk Password *',
    'dscl . -create /Users/_faxdesk',
    'dscl . -create /Users/_faxdesk UniqueID 497',
    'dscl . -create /Users/_faxdesk PrimaryGroupID 497',
    'dscl . -create /Users/_faxdesk UserShell /usr/bin/false',
    'dscl . -create /Users/_faxdesk NFSHomeDirectory /var/empty',
    'dscl . -create /Users/_faxdesk RealName Faxdesk gateway',
    'dscl . -create /Users/_faxdesk IsHidden 1',
    'dscl . -create /Users/_faxdesk Password *',
    'chown root:wheel /Library/Application Support/Faxdesk',
    'chmod 755 /Library/Application Support/Faxdesk',
    `chown -R root:wheel ${program}.new`,
    `chmod -R u=rwX,go=rX ${program}.new`,
    'chown -R _faxdesk:_faxdesk /Library/Logs/Faxdesk',
    'chmod 750 /Library/Logs/Faxdesk',
    `chown -R _faxdesk:_faxdesk ${data}`,
    `chmod 700 ${data}`,
    `chown root:wheel ${PLIST}`,
    'launchctl enable system/org.faxdesk.desktop.gateway',
    `launchctl bootstrap system ${PLIST}`,
    'chmod 755 /usr/local/bin',
    `ln -sfn ${program}/bin/faxdesk /usr/local/bin/faxdesk`,
  ]);
});

test('a daemon that is there is stopped before its program is replaced, and keeps its data and port', async () => {
  const computer = mac();
  computer.files.set(SERVICE_FILE, JSON.stringify({ data: '/Volumes/fax & more', port: 8090 }));
  computer.files.set('/Volumes/fax & more/faxdesk.sqlite', '');
  computer.links.set('/usr/local/bin/faxdesk', '/opt/other/faxdesk');
  let prints = 0;
  computer.answer = (call) => {
    if (!call.startsWith('launchctl print')) return undefined;
    prints += 1;
    return prints > 3 ? { code: 113 } : { output: '\tstate = running\n' };
  };
  const { steps } = await planService(computer, NOTHING);
  await carryOut(computer, steps);
  const order = steps.map(describeStep);
  const stop = order.findIndex((line) => line.includes('bootout'));
  expect(order.findIndex((line) => line.startsWith('copy'))).toBeLessThan(stop);
  expect(order.findIndex((line) => line.startsWith('move'))).toBeGreaterThan(stop);
  expect(prints).toBe(4);
  expect(computer.calls.some((call) => call.startsWith('dscl . -create') || call.startsWith('ln'))).toBe(
    false,
  );
  expect(computer.files.has('/Volumes/fax & more/.env')).toBe(false);
  expect(computer.files.get(PLIST)).toContain('<string>/Volumes/fax &amp; more</string>');
  expect(computer.files.get(PLIST)).toContain('<string>8090</string>');
});

test('the removal on macOS takes the daemon and its program away, and keeps the data', async () => {
  const computer = mac();
  computer.files.set(PLIST, '');
  computer.files.set('/Library/Application Support/Faxdesk/program', '');
  computer.files.set('/Library/Application Support/Faxdesk/data/faxdesk.sqlite', '');
  computer.files.set(SERVICE_FILE, '{}');
  expect(await removeService(null, computer)).toBe('/Library/Application Support/Faxdesk/data');
  expect([...computer.files.keys()]).toEqual(['/Library/Application Support/Faxdesk/data/faxdesk.sqlite']);
  await expect(removeService(null, computer)).rejects.toThrow('This computer has no service of Faxdesk.');
});

test('rule (desktop): the service of Windows has an account of its own, and its data is closed to all but it and administrators', async () => {
  const computer = windows();
  const { steps } = await planService(computer, { data: null, port: 8085 });
  await carryOut(computer, steps);
  const program = String.raw`C:\Program Files\Faxdesk\resources\gateway`;
  const data = String.raw`C:\ProgramData\Faxdesk`;
  const command = String.raw`"${program}\bin\faxdesk-service.exe" Faxdesk "${data}\logs\service.log" "${program}\bin\node.exe" --max-semi-space-size=2 "${program}\server\faxdesk.mjs" serve --as-service --data "${data}" --port 8085`;
  expect(computer.calls.slice(2)).toEqual([
    // Closed before anything is in it, and before the service is there.
    `icacls.exe ${data} /setowner *S-1-5-32-544 /Q`,
    `icacls.exe ${data} /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-32-544:(OI)(CI)F /Q`,
    String.raw`sc.exe create Faxdesk binPath= ${command} start= delayed-auto obj= NT SERVICE\Faxdesk DisplayName= Faxdesk gateway`,
    'sc.exe description Faxdesk Sends and receives the faxes of this computer and of its office.',
    'sc.exe failure Faxdesk reset= 86400 actions= restart/15000/restart/15000/restart/15000',
    'sc.exe failureflag Faxdesk 1',
    `icacls.exe ${data} /setowner *S-1-5-32-544 /T /C /Q`,
    String.raw`icacls.exe ${data} /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-32-544:(OI)(CI)F /grant:r NT SERVICE\Faxdesk:(OI)(CI)F /Q`,
    String.raw`icacls.exe ${data}\* /reset /T /C /Q`,
    'sc.exe start Faxdesk',
  ]);
  expect(computer.files.get(String.raw`${program}\service.env`)).toBe(`FAXDESK_DATA=${data}\n`);
  expect(computer.files.get(String.raw`${data}\.env`)).toContain('HTTPS_HOST=127.0.0.1');
});

test('a service of Windows that runs is stopped before it is changed, and waited for', async () => {
  const computer = windows();
  let queries = 0;
  computer.answer = (call) => {
    if (call.startsWith('whoami.exe')) return { output: ELEVATED };
    if (call !== 'sc.exe query Faxdesk') return undefined;
    queries += 1;
    return { output: `        STATE              : ${queries > 3 ? '1  STOPPED' : '3  STOP_PENDING'}` };
  };
  await carryOut(computer, (await planService(computer, NOTHING)).steps);
  const stop = computer.calls.indexOf('sc.exe stop Faxdesk');
  expect(stop).toBeGreaterThan(-1);
  expect(computer.calls.findIndex((call) => call.startsWith('sc.exe config'))).toBeGreaterThan(stop + 2);
  expect(computer.calls.at(-1)).toBe('sc.exe start Faxdesk');
  expect((await planStop(computer)).map(describeStep)[0]).toContain('stop Faxdesk');
});

test('the removal on Windows deletes the service', async () => {
  const computer = windows();
  await expect(planRemoval(computer)).rejects.toThrow('This computer has no service of Faxdesk.');
  computer.answer = (call) =>
    call.startsWith('whoami') ? { output: ELEVATED } : { output: 'STATE : 1  STOPPED' };
  await removeService(null, computer);
  expect(computer.calls.at(-1)).toBe('sc.exe delete Faxdesk');
});

test.each([
  [
    'an account of macOS without rights',
    () => Object.assign(mac(), { isRoot: false }),
    'Begin the command with sudo',
  ],
  ['an account of Windows without rights', () => windows('"x","S-1-16-8192",""'), 'Run as administrator'],
  [
    'a checkout of the repository',
    () => Object.assign(mac(), { program: null }),
    'not the Faxdesk of an installer',
  ],
  [
    'an installation for an account',
    () => Object.assign(windows(), { program: String.raw`C:\Users\maria\AppData\Local\Programs\Faxdesk` }),
    'installed for one account',
  ],
  ['Linux', () => Object.assign(mac(), { platform: 'linux' }), 'On Linux the package for servers'],
])('refuses %s', async (_, computer, sentence) => {
  await expect(createService(NOTHING, null, computer())).rejects.toThrow(sentence);
});

test('refuses a part of a path as the data folder', async () => {
  const request = { data: 'data', port: null };
  await expect(createService(request, null, mac())).rejects.toThrow('--data must be the whole path');
  await expect(createService(request, null, windows())).rejects.toThrow('--data must be the whole path');
});

test('only prints the steps when it is asked to', async () => {
  const computer = mac();
  const lines: string[] = [];
  expect(await createService(NOTHING, (line) => lines.push(line), computer)).toBe(null);
  expect(lines.join('\n')).toContain('/bin/launchctl bootstrap system');
  expect(computer.files.size).toBe(0);
  expect(computer.calls.some((call) => call.startsWith('launchctl b'))).toBe(false);
});

test('names the step that failed, with the words of the system', async () => {
  const computer = windows();
  const { answer } = computer;
  computer.answer = (call) =>
    call.startsWith('sc.exe create')
      ? { code: 1057, output: '[SC] CreateService FAILED 1057:\r\n' }
      : answer(call);
  const { steps } = await planService(computer, NOTHING);
  await expect(carryOut(computer, steps)).rejects.toThrow('[SC] CreateService FAILED 1057:');
});

test('shows a service that is not there', async () => {
  expect(await showService(windows())).toMatchObject({ exists: false, isRunning: false, gateway: null });
});

const DATA = {
  win32: String.raw`C:\ProgramData\Faxdesk`,
  darwin: '/Library/Application Support/Faxdesk/data',
};

/** Makes the service, up to the start of its gateway. Returns the sentence of a refusal. */
async function refusalOf(computer: ServiceComputer): Promise<string> {
  return planService(computer, NOTHING)
    .then(({ steps }) => carryOut(computer, steps))
    .then(
      () => 'none',
      (error: Error) => error.message,
    );
}

const isEntered = ({ calls, files }: ServiceComputer) =>
  calls.some((call) => /^sc\.exe (?:create|start)|^launchctl bootstrap/u.test(call)) || files.has(PLIST);

test.each([
  ['a folder that is a link', (it: ServiceComputer, data: string) => void it.links.set(data, '/elsewhere')],
  [
    'a link in it',
    (it: ServiceComputer, data: string) =>
      void it.links.set(`${data}${it.platform === 'win32' ? '\\' : '/'}logs`, '/elsewhere'),
  ],
  [
    'a folder that another account makes in the same moment',
    (it: ServiceComputer) => {
      it.makeNewFolder = async () => false;
    },
  ],
])('enters no service with %s', async (_, prepare) => {
  for (const computer of [windows(), mac()]) {
    const data = DATA[computer.platform as 'win32' | 'darwin'];
    prepare(computer, data);
    expect(await refusalOf(computer)).toContain('belongs to an account that is no administrator');
    expect(isEntered(computer)).toBe(false);
  }
});

test('rule (desktop): no service of Windows is entered with settings that another account has left', async () => {
  const script = async (name: string, foreign: (call: string) => string) => {
    const computer = windows();
    const { answer } = computer;
    computer.files.set(`${DATA.win32}\\${name}`, 'SEND_FOLDER=x');
    computer.answer = (call) =>
      call.startsWith('powershell.exe') ? { output: foreign(call) } : answer(call);
    return { refusal: await refusalOf(computer), computer };
  };
  const owned = await script('.env', () => `${DATA.win32}\r\n`);
  expect(owned.refusal).toContain('move it away and run the command again');
  expect(
    owned.computer.calls.some((call) => call.startsWith('icacls') || call.startsWith('sc.exe create')),
  ).toBe(false);

  // Made by an administrator, where other accounts can put files until it is closed.
  const inside = await script('.env', (call) => (call.includes('-Recurse') ? `${DATA.win32}\\.env` : ''));
  expect(inside.refusal).toContain(String.raw`Faxdesk\.env is a link or belongs`);
  expect(isEntered(inside.computer)).toBe(false);
  const order = inside.computer.calls.map((call) => call.split(' /')[0]);
  expect(order.lastIndexOf(`icacls.exe ${DATA.win32}`)).toBeLessThan(inside.computer.calls.length - 1);

  const silent = windows();
  const { answer } = silent;
  silent.files.set(DATA.win32, '');
  silent.answer = (call) =>
    call.startsWith('powershell.exe') ? { code: 1, output: 'blocked' } : answer(call);
  expect(await refusalOf(silent)).toBe(`The owners of what is in ${DATA.win32} could not be read (blocked).`);
  expect(isEntered(silent)).toBe(false);

  const kept = await script('faxdesk.sqlite', () => '');
  expect(kept.refusal).toBe('none');
  expect(kept.computer.files.has(String.raw`${DATA.win32}\.env`)).toBe(false);
  const question = kept.computer.calls.find((call) => call.includes('-Recurse'));
  expect(question).toContain(`-notmatch '^O:(BA|SY|${serviceSid('Faxdesk')})G:'`);
  // Windows writes it so.
  expect(serviceSid('TrustedInstaller')).toBe(
    'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  );
});

test('rule (desktop): no daemon of macOS is entered with a folder of another account', async () => {
  for (const path of [
    posix.dirname(DATA.darwin),
    '/Library/Logs/Faxdesk',
    DATA.darwin,
    `${DATA.darwin}/.env`,
  ]) {
    const computer = mac();
    computer.files.set(path, '');
    computer.owners.set(path, 501);
    expect(await refusalOf(computer)).toContain(`${path} is a link or belongs`);
    expect(isEntered(computer)).toBe(false);
  }
  const account = mac();
  account.answer = (call) =>
    call.startsWith('dscl . -read')
      ? { output: 'UniqueID: 497\n' }
      : { code: call.startsWith('launchctl print') ? 113 : 0 };
  account.files.set(`${DATA.darwin}/faxdesk.sqlite`, '');
  account.owners.set(`${DATA.darwin}/faxdesk.sqlite`, 497);
  expect(await refusalOf(account)).toBe('none');
});

test('the command is not linked into a folder that a person owns', async () => {
  const computer = mac();
  computer.files.set('/usr/local/bin', '');
  computer.owners.set('/usr/local/bin', 501);
  expect(await refusalOf(computer)).toBe('none');
  expect(computer.calls.some((call) => call.startsWith('ln'))).toBe(false);
});

test('an update goes on with the data of the service', async () => {
  const computer = windows();
  const { answer } = computer;
  computer.answer = (call) =>
    call === 'sc.exe query Faxdesk' ? { output: 'STATE : 1  STOPPED' } : answer(call);
  computer.files.set(String.raw`${DATA.win32}\faxdesk.sqlite`, '');
  expect(await refusalOf(computer)).toBe('none');
  const questions = computer.calls.filter((call) => call.startsWith('powershell'));
  // All documents of a service would take minutes.
  expect(questions.map((call) => call.includes('-Recurse'))).toEqual([false]);
  expect(questions[0]).toContain(`Get-ChildItem -LiteralPath '${DATA.win32}'`);
  computer.links.set(String.raw`${DATA.win32}\logs`, String.raw`C:\Windows`);
  expect(await refusalOf(computer)).toContain(String.raw`Faxdesk\logs is a link`);
});

test('rule (desktop): no service of Windows is renewed or started with a data folder that another account has made anew', async () => {
  const computer = windows();
  let answer: Partial<Answer> = { output: `${DATA.win32}\r\n` };
  computer.answer = (call) => {
    if (call.startsWith('whoami.exe')) return { output: ELEVATED };
    if (call.startsWith('powershell.exe')) return answer;
    return call === 'sc.exe query Faxdesk' ? { output: 'STATE : 1  STOPPED' } : undefined;
  };
  const start = () => requireServiceFolder(DATA.win32, computer);
  await expect(start()).rejects.toMatchObject({
    message: `There is no folder ${DATA.win32}, so the service does not start. As administrator run: faxdesk service create`,
    exitCode: EXIT.notFound,
  });
  expect(computer.calls).toEqual([]);

  computer.files.set(String.raw`${DATA.win32}\.env`, 'SEND_FOLDER=x');
  const refused = {
    message: `${DATA.win32} is a link or belongs to an account that is no administrator, so the service does not start. Look at it, move it away, and as administrator run: faxdesk service create`,
    exitCode: EXIT.broken,
  };
  await expect(start()).rejects.toMatchObject(refused);
  expect(computer.calls).toHaveLength(1);
  expect(computer.calls[0]).not.toContain('Get-ChildItem');
  expect(await refusalOf(computer)).toContain('belongs to an account that is no administrator');
  expect(isEntered(computer)).toBe(false);

  answer = { code: 1, output: 'blocked' };
  await start();
  answer = {};
  await start();
  computer.links.set(DATA.win32, String.raw`C:\Users\x`);
  await expect(start()).rejects.toMatchObject(refused);
});

test('a daemon of macOS starts without a question: only root can make its folder anew', async () => {
  const computer = mac();
  await requireServiceFolder(DATA.darwin, computer);
  expect(computer.calls).toEqual([]);
});

test('looks at folders of the computer itself without following links', async () => {
  const system = thisSystem();
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-trusted-'));
  try {
    expect(await system.makeNewFolder(join(folder, 'a/b'))).toBe(true);
    expect(await system.makeNewFolder(join(folder, 'a/b'))).toBe(false);
    writeFileSync(join(folder, 'a/file'), '');
    symlinkSync('/usr', join(folder, 'a/b/link'));
    const seen = [];
    for await (const { path, isLink } of system.entriesBelow(folder))
      seen.push(`${path.slice(folder.length)} ${isLink}`);
    expect(seen.toSorted()).toEqual(['/a false', '/a/b false', '/a/b/link true', '/a/file false']);
    expect(system.entry(folder)).toMatchObject({ isLink: false, owner: process.getuid?.() });
    expect(system.entry(join(folder, 'none'))).toBe(null);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('finds a free number among those for accounts of services', () => {
  expect(freeAccountId([])).toBe(499);
  const all = Array.from({ length: 50 }, (_, index) => `a  ${450 + index}`).join('\n');
  expect(freeAccountId([all])).toBe(null);
});
