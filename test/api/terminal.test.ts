import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import { eventually } from '../setup/eventually.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { Browser, countProcesses, type OpenTerminal } from './terminal-setup.ts';

const MINUTE_MS = 60_000;
const PASSWORD = 'nine yellow kettles sing';

const processes = countProcesses();
let gateway: TestGateway;
let administrator: AccessAdministrator;
let mara: Browser;
const open: OpenTerminal[] = [];
beforeAll(async () => {
  gateway = await startTestGateway({ startTerminalProcess: processes.start });
  administrator = new AccessAdministrator(gateway);
  await enrolMara(gateway.url, INSTALLATION_KEY);
  mara = await Browser.signIn(gateway, MARA.login, MARA.password);
});
afterEach(async () => {
  for (const terminal of open.splice(0)) await terminal.close();
});
afterAll(() => gateway.close());

async function opened(browser: Browser): Promise<OpenTerminal> {
  const terminal = await browser.open();
  open.push(terminal);
  return terminal;
}

/** A person with a password of their own and one role. */
async function signedIn(
  login: string,
  permissions: readonly string[],
): Promise<{ browser: Browser; person: Item; role: Item; assignment: Item }> {
  const person = await administrator.person(login, `Person ${login}`);
  const role = await administrator.role(`Role of ${login}`, permissions);
  const assignment = await administrator.assign(person, role);
  const first = await Browser.signIn(gateway, login, person.temporaryPassword);
  const body = { current_password: person.temporaryPassword, password: PASSWORD };
  expect((await first.request('POST', '/auth/password', body)).status).toBe(200);
  return { browser: await Browser.signIn(gateway, login, PASSWORD), person, role, assignment };
}

interface AuditEntry {
  readonly operation: string;
  readonly outcome: string;
  readonly credential_kind: string;
  readonly target: { kind: string; id: string | null };
  readonly details: Record<string, unknown>;
}

async function audited(operation: string): Promise<AuditEntry[]> {
  const { items } = (await administrator.get(`/access/audit?operation=${operation}&limit=100`)) as {
    items: AuditEntry[];
  };
  return items;
}

describe('a console terminal', () => {
  test('rule (terminal): runs commands with the permissions that its person has at each moment', async () => {
    const fax = await gateway.send();
    const { browser, role } = await signedIn('nadia', ['host:terminal', 'fax:read']);
    const terminal = await opened(browser);
    expect(await terminal.run(`status ${fax.id}`)).toContain('+12025550123');
    expect(await terminal.run('users list')).toBe('You do not have permission to do that.');
    expect(await terminal.run('me')).toMatch(/Permissions: +fax:read, host:terminal/u);
    const { version } =
      ((await administrator.get('/access/roles')) as { items: Item[] }).items.find(
        ({ id }) => id === role.id,
      ) ?? role;
    await administrator.sendOk('PATCH', `/access/roles/${role.id}`, {
      version,
      permissions: ['host:terminal', 'users:read'],
    });
    expect(await terminal.run(`status ${fax.id}`)).not.toContain('+12025550123');
    expect(await terminal.run('users list')).toContain('nadia');
  });

  test('completes commands and ids with Tab, keeps a history, and reads several lines at once', async () => {
    const { id } = await gateway.send();
    const terminal = await opened(mara);
    await terminal.prompt();
    await mara.type(terminal.id, `jobs sh\t${id.slice(0, -1)}\t\r`);
    await eventually(() => expect(terminal.text).toMatch(new RegExp(`jobs show ${id}[^]*Accepted:`, 'u')));
    await terminal.prompt();
    await mara.type(terminal.id, '\u001B[A\u001B[A\u001B[B\r');
    await eventually(() => expect(terminal.text.split('Accepted:').length).toBe(3));
    await terminal.prompt();
    await mara.type(terminal.id, 'me\rhealth\r');
    await eventually(() => expect(terminal.text).toMatch(/Owner: +yes[^]*The gateway is ready/u));
    expect(await terminal.run('jobs list --search "a b')).toBe('The quote " is not closed.');
  });

  test('rule (terminal): opens no file of the computer, no other gateway, and no shell', async () => {
    const terminal = await opened(mara);
    for (const [command, sentence] of [
      ['send +12025550123 /etc/passwd', 'send reads or writes files'],
      ['import /etc/passwd', 'import reads or writes files'],
      ['contacts import /etc/passwd', 'contacts import reads or writes files'],
      ['jobs document some-id --output /tmp/x', 'jobs document reads or writes files'],
      ['costs sums --output /tmp/x', '--output is not available in this terminal.'],
      ['audit verify --file /etc/passwd', '--file is not available in this terminal.'],
      ['audit verify --offline', '--offline is not available in this terminal.'],
      ['jobs list --data /', '--data is not available in this terminal.'],
      ['jobs list --url http://169.254.169.254', '--url is not available in this terminal.'],
      ['--key other jobs list', '--key is not available in this terminal.'],
      ['serve --port 0', 'serve works on the gateway’s computer'],
      ['restore /tmp/x.zip', 'restore works on the gateway’s computer'],
      ['backup', 'backup create works on the gateway’s computer'],
      ['recover-owner', 'recover-owner works on the gateway’s computer'],
      ['diagnose', 'diagnose works on the gateway’s computer'],
      ['assistant --folder /', 'assistant works on the gateway’s computer'],
      ['ls /', 'unknown command'],
      ['$(id)', 'unknown command'],
    ] as const)
      expect(await terminal.run(command), command).toContain(sentence);
    const help = await terminal.run('help');
    expect(help).toContain('jobs');
    expect(help).not.toMatch(/^ {2}(?:serve|restore|send|diagnose)\b/mu);
    expect(help).not.toContain('--url');
  });

  test('interrupts a command with Ctrl-C, also one that watches, and goes on', async () => {
    const terminal = await opened(mara);
    await terminal.prompt();
    await mara.type(terminal.id, 'watch\r');
    await eventually(() => expect(terminal.text).toContain('Sent faxes, as they change'));
    await mara.type(terminal.id, '\u0003');
    await terminal.prompt();
    await mara.type(terminal.id, 'half a line\u0003');
    await eventually(() => expect(terminal.text).toContain('half a line^C'));
    await terminal.prompt();
    expect(await terminal.run('me')).toContain('Mara Okafor');
    await mara.type(terminal.id, 'settings change CLOUDONE_API_SECRET=-\r');
    await eventually(() => expect(terminal.text).toContain('CLOUDONE_API_SECRET: '));
    await mara.type(terminal.id, 'typed-secret\u0003');
    await terminal.prompt();
    expect(terminal.text).not.toContain('typed-secret');
    expect(terminal.text).toContain('Nothing was changed.');
  });

  test('a page that connects again continues where it was, and typed text counts once', async () => {
    const terminal = await opened(mara);
    await terminal.prompt();
    const seen = terminal.reader.position;
    const before = terminal.text;
    await terminal.reader.close();
    const path = `/console/terminals/${terminal.id}/input`;
    for (let again = 0; again < 3; again += 1)
      expect((await mara.request('POST', path, { number: 1_000, text: 'me\r' })).status).toBe(200);
    terminal.reader = await mara.read(terminal.id, Number(seen));
    await terminal.prompt();
    expect(before).not.toContain('Mara Okafor\nKind');
    expect(terminal.text.split(/Owner: +yes/u)).toHaveLength(2);
    const { status } = await mara.request('POST', `/console/terminals/${terminal.id}/size`, {
      columns: 40,
      rows: 10,
    });
    expect(status).toBe(200);
  });
});

describe('a console terminal is refused', () => {
  test('to people without the permission, and to keys', async () => {
    const { browser } = await signedIn('omar', ['fax:read', 'settings:read']);
    const size = { columns: 80, rows: 24 };
    expect((await browser.request('POST', '/console/terminals', size)).status).toBe(403);
    const byKey = await gateway.request('POST', '/console/terminals', { json: size });
    expect([byKey.status, byKey.headers.get('X-Error-Code')]).toEqual([403, 'password_session_needed']);
    expect(await audited('terminal.open')).toContainEqual(
      expect.objectContaining({ outcome: 'refused', credential_kind: 'session' }),
    );
  });

  test('to other sessions, also of the same person', async () => {
    const terminal = await opened(mara);
    const other = await Browser.signIn(gateway, MARA.login, MARA.password);
    expect((await other.type(terminal.id, 'me\r')).status).toBe(404);
    expect((await other.read(terminal.id)).status).toBe(404);
    expect((await other.request('DELETE', `/console/terminals/${terminal.id}`)).status).toBe(404);
  });

  test('beyond three for one person', async () => {
    for (let count = 0; count < 3; count += 1) await opened(mara);
    const fourth = await mara.request('POST', '/console/terminals', { columns: 80, rows: 24 });
    expect([fourth.status, fourth.headers.get('X-Error-Code')]).toEqual([409, 'too_many_terminals']);
  });
});

describe('a console terminal ends', () => {
  test('rule (terminal): with its session, its permission, the setting, and after 15 minutes without input', async () => {
    const ends = new Map<string, string | null>();
    const endOf = async (terminal: OpenTerminal) => {
      await eventually(() => expect(terminal.end).not.toBeNull());
      ends.set(terminal.id, terminal.end);
      return terminal.end;
    };
    const signedOut = await signedIn('pia', ['host:terminal']);
    const first = await opened(signedOut.browser);
    await signedOut.browser.request('POST', '/auth/logout');
    expect(await endOf(first)).toBe('session_ended');

    const demoted = await signedIn('quinn', ['host:terminal']);
    const second = await opened(demoted.browser);
    const { id, version } = demoted.assignment;
    await administrator.sendOk('POST', `/access/assignments/${id}/remove`, { version });
    expect(await endOf(second)).toBe('permission_lost');

    const third = await opened(mara);
    await gateway.set({ TERMINAL_ENABLED: false });
    expect(await endOf(third)).toBe('turned_off');
    const refused = await mara.request('POST', '/console/terminals', { columns: 80, rows: 24 });
    expect(refused.headers.get('X-Error-Code')).toBe('terminal_off');
    await gateway.set({ TERMINAL_ENABLED: true });

    const fourth = await opened(mara);
    gateway.clock.advance(14 * MINUTE_MS);
    await gateway.processAll();
    expect((await mara.type(fourth.id, 'm')).status).toBe(200);
    gateway.clock.advance(14 * MINUTE_MS);
    await gateway.processAll();
    expect(fourth.end).toBeNull();
    gateway.clock.advance(MINUTE_MS);
    await gateway.processAll();
    expect(await endOf(fourth)).toBe('idle');
    expect((await mara.type(fourth.id, 'm')).status).toBe(404);

    const fifth = await opened(mara);
    await fifth.prompt();
    await mara.type(fifth.id, 'exit\r');
    expect(await endOf(fifth)).toBe('exited');

    const sixth = await opened(mara);
    await sixth.reader.close();
    await eventually(async () => {
      gateway.clock.advance(MINUTE_MS / 2);
      await gateway.processAll();
      expect((await mara.type(sixth.id, 'm')).status).toBe(404);
    });
    await eventually(async () => {
      const closed = await audited('terminal.close');
      for (const [terminalId, reason] of [...ends, [sixth.id, 'window_closed'] as const])
        expect(closed).toContainEqual(
          expect.objectContaining({
            target: expect.objectContaining({ kind: 'terminal', id: terminalId }),
            details: expect.objectContaining({ reason }),
          }),
        );
    });
    await eventually(() => expect(processes.running).toBe(0));
  });

  test('rule (crossings): opening and closing the console terminal, and what its commands change, are in the security audit', async () => {
    const terminal = await opened(mara);
    expect(await terminal.run('groups create --name "Night shift"')).toContain('Night shift');
    await terminal.close();
    const isOfIt = ({ target }: AuditEntry) => target.id === terminal.id;
    expect((await audited('terminal.open')).find(isOfIt)).toMatchObject({
      outcome: 'done',
      credential_kind: 'session',
    });
    expect((await audited('terminal.close')).find(isOfIt)?.details).toMatchObject({ reason: 'closed' });
    expect(await audited('group.create')).toContainEqual(
      expect.objectContaining({ credential_kind: 'terminal' }),
    );
  });

  test('rule (terminal): 50 opened and closed leave no process, key, listener or folder', async () => {
    const listeners = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
    const folders = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('faxdesk-terminal-')).length;
    await eventually(() => expect(processes.running).toBe(0));
    const before = {
      listeners: listeners(),
      keys: (await administrator.get('/access/keys?limit=200')).items.length,
    };
    const foldersBefore = await folders();
    for (let count = 0; count < 50; count += 1) {
      const terminal = await mara.open();
      await terminal.close();
    }
    await eventually(() => expect(processes.running).toBe(0));
    const after = {
      listeners: listeners(),
      keys: (await administrator.get('/access/keys?limit=200')).items.length,
    };
    expect(after).toEqual(before);
    expect(await folders()).toBeLessThanOrEqual(foldersBefore);
    expect(
      (await audited('terminal.close')).filter(({ details }) => details['reason'] === 'closed').length,
    ).toBeGreaterThanOrEqual(50);
  });

  test('its key works for nobody once it has ended, and the gateway ends all when it stops', async () => {
    const tokens: string[] = [];
    const watched = countProcesses();
    const own = await startTestGateway({
      startTerminalProcess: async () => {
        const child = await watched.start();
        return {
          ...child,
          send: (message) => {
            if (message.kind === 'start') tokens.push(message.key);
            child.send(message);
          },
        };
      },
    });
    try {
      await enrolMara(own.url, INSTALLATION_KEY);
      const browser = await Browser.signIn(own, MARA.login, MARA.password);
      const terminal = await browser.open();
      const [key = ''] = tokens;
      expect((await own.request('GET', '/auth/me', { key })).status).toBe(200);
      const another = await own.request('POST', '/console/terminals', {
        key,
        json: { columns: 80, rows: 24 },
      });
      expect(another.headers.get('X-Error-Code')).toBe('password_session_needed');
      await terminal.close();
      expect((await own.request('GET', '/auth/me', { key })).status).toBe(401);
      const last = await browser.open();
      await own.stop();
      expect(last.end).toBe('stopped');
      await eventually(() => expect(watched.running).toBe(0));
    } finally {
      await own.close();
    }
  });
});
