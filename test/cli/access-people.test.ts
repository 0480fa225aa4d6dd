import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../server/cli/find-access.ts';
import { startAnsweringServer } from './answering-server.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let mara: string;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
  const facts = { login: 'mara', display_name: 'Mara Okafor' };
  mara = (await cli.create<{ user: Principal }>('/auth/owner/enroll', facts)).user.id;
});
afterAll(() => cli.close());

interface Made {
  user: Principal;
  temporary_password: string;
  policy_version: number;
}
const create = (login: string, name: string) =>
  cli.create<Made>('/access/users', { login, display_name: name });

const signIn = async (login: string, password: string) => {
  const answer = await fetch(`${cli.url}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: cli.url },
    body: JSON.stringify({ login, password }),
  });
  return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};
const me = async (cookie: string) =>
  (await fetch(`${cli.url}/auth/me`, { headers: { Cookie: cookie } })).status;

const post = async (path: string, headers: Record<string, string>, body: object) => {
  const answer = await fetch(cli.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: cli.url, ...headers },
    body: JSON.stringify(body),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer;
};
/** A person with a password of their own and a PIN, in a browser where they typed the password. */
const withPin = async (login: string, temporary: string) => {
  const session = async (given: string) => {
    const answer = await post('/auth/login', {}, { login, password: given });
    const [cookie = '', browser = ''] = answer.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    const read = await fetch(`${cli.url}/auth/me`, { headers: { Cookie: cookie } });
    const { csrf_token } = (await read.json()) as { csrf_token: string };
    return { cookie, browser, headers: { Cookie: cookie, 'X-CSRF-Token': csrf_token } };
  };
  const password = 'quiet harbour lantern';
  const first = await session(temporary);
  await post('/auth/password', first.headers, { current_password: temporary, password });
  const { cookie, browser, headers } = await session(password);
  await post('/auth/quick-sign-in/pin', headers, { pin: '730514', current_password: password });
  /** Returns the sign-in names of the people who are offered in that browser. */
  const namesHere = async () => {
    const answer = await post('/auth/quick-sign-in/people', { Cookie: browser }, {});
    const { people } = (await answer.json()) as { people: { login: string }[] };
    return people.map((each) => each.login);
  };
  return { cookie, namesHere };
};

describe('faxdesk users', () => {
  test('creates a person who can sign in with the password that is shown once', async () => {
    const made = await cli.run(['users', 'create', '--login', 'Ines', '--name', 'Ines Duarte']);
    expect([made.code, made.out]).toEqual([
      0,
      expect.stringMatching(
        /^Id: +\S+\nSign-in name: +ines\nPassword for the first sign-in: +(?:[a-z]+-){5}[a-z]+\n$/u,
      ),
    ]);
    expect(made.err).toBe('It is shown only now, and must be changed at the first sign-in.\n');
    expect((await signIn('ines', made.out.trimEnd().split(' ').at(-1) ?? '')).status).toBe(200);
    const list = await cli.run(['users', 'list', '--search', 'duarte']);
    expect(list.out.split('\n')).toEqual([
      expect.stringMatching(/^ID +SIGN-IN NAME +NAME +KIND +STATE +SECOND FACTOR +LAST SEEN$/u),
      expect.stringMatching(/^\S+ +ines +Ines Duarte +user +enabled +no +\d{4}-\S+Z$/u),
      '',
    ]);
    const shown = await cli.run(['users', 'show', 'ines duarte']);
    expect(shown.out).toMatch(/Must change the password: +yes\nState: +enabled\n.*\nGroups: +none\n$/u);
  });

  test('finds a person by id, login and name, and changes only what is said', async () => {
    const words = ['users', 'create', '--login', 'tomas', '--name', 'Tomas Lind'];
    const { user } = await cli.json<Made>(...words);
    const change = (...words: string[]) => cli.json<Made>('users', 'change', ...words);
    expect((await change(user.id, '--name', 'Tomas Berg')).user).toMatchObject({
      id: user.id,
      login: 'tomas',
      display_name: 'Tomas Berg',
      version: 2,
    });
    expect((await change('TOMAS', '--login', 'tberg')).user).toMatchObject({ login: 'tberg', version: 3 });
    const disabled = await cli.run(['users', 'change', 'Tomas Berg', '--enabled', 'no']);
    expect(disabled.out).toMatch(/Name: +Tomas Berg\n[^]*State: +disabled\n/u);
    const { items } = await cli.json<{ items: Principal[] }>('users', 'list', '--enabled', 'no');
    expect(items.map(({ id }) => id)).toEqual([user.id]);
    expect((await change('tberg', '--enabled', 'yes')).user.enabled).toBe(true);
  });

  test('requires an id when several have a name, but a sign-in name is only one', async () => {
    const one = await create('kim.one', 'Kim Park');
    const two = await create('kim.two', 'kim park');
    await create('shadow', 'kim.one');
    const { code, err } = await cli.run(['users', 'show', 'Kim Park']);
    expect(code).toBe(9);
    expect(err).toContain(`Kim Park (${one.user.id})`);
    expect(err).toContain(`kim park (${two.user.id})`);
    const shown = await cli.json<{ user: Principal }>('users', 'show', 'kim.one');
    expect(shown.user.id).toBe(one.user.id);
    const part = await cli.run(['users', 'show', 'Kim']);
    expect([part.code, part.err]).toEqual([5, 'There is no such person or integration.\n']);
  });

  test('gives a new password and ends the sessions, as the list shows', async () => {
    const { temporary_password: first } = await create('rosa', 'Rosa Vidal');
    const begun = await signIn('rosa', first);
    const open = () =>
      cli.json<{ items: { session_id: string }[] }>('sessions', 'list', '--of', 'rosa', '--live');
    expect((await open()).items).toHaveLength(1);
    const reset = await cli.json<Made>('users', 'reset-password', 'rosa');
    expect(reset.temporary_password).not.toBe(first);
    expect([await me(begun.cookie), (await signIn('rosa', first)).status]).toEqual([401, 401]);
    expect((await open()).items).toEqual([]);
    const again = await signIn('rosa', reset.temporary_password);
    const { out } = await cli.run(['users', 'reset-two-factor', 'rosa']);
    expect(out).toMatch(/Second factor: +no\n/u);
    expect(await me(again.cookie)).toBe(401);
  });

  test('removes the PIN of a person, ends their sessions and forgets their browsers', async () => {
    const { temporary_password } = await create('noor', 'Noor Haddad');
    const person = await withPin('noor', temporary_password);
    const hasQuick = async () =>
      (await cli.json<{ user: Principal }>('users', 'show', 'noor')).user.quick_sign_in;
    expect([await hasQuick(), await person.namesHere()]).toEqual([true, ['noor']]);
    const { code, out, err } = await cli.run(['users', 'reset-quick-sign-in', 'Noor Haddad']);
    expect([code, err]).toEqual([0, 'That person’s sessions have ended.\n']);
    expect(out).toMatch(/Sign-in name: +noor\n/u);
    expect([await hasQuick(), await me(person.cookie), await person.namesHere()]).toEqual([false, 401, []]);
    expect((await cli.run(['users', 'reset-quick-sign-in', 'none'])).code).toBe(5);
  });

  test('ends one session', async () => {
    const { temporary_password } = await create('elif', 'Elif Demir');
    const { cookie } = await signIn('elif', temporary_password);
    const list = await cli.run(['sessions', 'list', '--of', 'Elif Demir']);
    const [head = '', row = ''] = list.out.split('\n');
    expect(head).toMatch(/^ID +WHO +BY +DEVICE +ADDRESS +BEGAN +LAST USED +UNTIL$/u);
    expect(row).toMatch(/^\S+ +Elif Demir +password /u);
    const id = row.split(' ')[0] ?? '';
    expect((await cli.run(['sessions', 'end', id])).out).toBe('The session has ended.\n');
    expect(await me(cookie)).toBe(401);
    expect((await cli.run(['sessions', 'end', id])).out).toBe('The session had already ended.\n');
    expect((await cli.run(['sessions', 'end', 'none'])).code).toBe(5);
  });

  test('says in exit codes what was wrong', async () => {
    const codeOf = async (...words: string[]) => (await cli.run(words)).code;
    expect(await codeOf('users', 'show', 'nobody')).toBe(5);
    expect(await codeOf('users', 'create', '--login', 'mara', '--name', 'Another')).toBe(6);
    expect(await codeOf('users', 'create', '--login', 'two words', '--name', 'Another')).toBe(9);
    expect(await codeOf('users', 'change', 'mara')).toBe(2);
    expect(await codeOf('users', 'change', 'mara', '--enabled', 'perhaps')).toBe(2);
    const last = await cli.run(['users', 'change', mara, '--enabled', 'no']);
    expect([last.code, last.err]).toEqual([6, 'One enabled owner must remain.\n']);
    const { token } = await cli.json<{ token: string }>(
      'keys',
      'create',
      '--name',
      'Trial',
      '--scope',
      'users:read',
    );
    expect(await codeOf('users', 'change', 'mara', '--name', 'M', '--key', token)).toBe(4);
  });

  test('says that somebody else was faster, and changes nothing', async () => {
    const { user } = await create('ulla', 'Ulla Frost');
    const key = await cli.json<{ token: string }>(
      'keys',
      'create',
      '--name',
      'Trial',
      '--scope',
      'users:read',
      'users:manage',
    );
    const between = await startAnsweringServer((asked, response) => {
      const pass = async () => {
        if (asked.method === 'PATCH') await create('vera', 'Vera Holm');
        const answer = await fetch(cli.url + asked.url, {
          method: asked.method,
          headers: { 'X-API-Key': key.token, 'Content-Type': 'application/json' },
          ...(asked.body && { body: asked.body }),
        });
        const code = answer.headers.get('X-Error-Code');
        const headers = { 'Content-Type': 'application/json', ...(code && { 'X-Error-Code': code }) };
        response.writeHead(answer.status, headers);
        response.end(await answer.text());
      };
      pass().catch((error: Error) => response.destroy(error));
    });
    const change = ['users', 'change', 'ulla', '--name', 'Ulla Gale', '--url', between.url];
    const { code, err } = await cli.run([...change, '--key', key.token]);
    await between.close();
    expect([code, err]).toEqual([
      6,
      expect.stringMatching(/^Someone else changed this in the meantime, [^\n]+\n$/u),
    ]);
    const shown = await cli.json<{ user: Principal }>('users', 'show', 'ulla');
    expect(shown.user).toMatchObject({ display_name: 'Ulla Frost', version: user.version });
  });
});

describe('faxdesk integrations', () => {
  test('creates, lists and changes them, and never takes a person for one', async () => {
    const made = await cli.run(['integrations', 'create', '--name', 'Practice system']);
    expect(made.out).toMatch(/^Id: +\S+\nName: +Practice system\nKind: +integration\nState: +enabled\n/u);
    await create('practice', 'Practice system');
    const words = ['integrations', 'change', 'practice system'];
    const changed = await cli.json<{ user: Principal }>(...words, '--enabled', 'no');
    expect(changed.user).toMatchObject({ kind: 'integration', login: null, enabled: false });
    const { items } = await cli.json<{ items: Principal[] }>('integrations', 'list', '--search', 'practice');
    expect(items.map(({ id }) => id)).toEqual([changed.user.id]);
    const all = await cli.run(['users', 'list', '--kind', 'all', '--search', 'practice']);
    expect(all.out).toMatch(/ integration +disabled /u);
    expect(all.out).toMatch(/ practice +Practice system +user +enabled /u);
    expect((await cli.run(['integrations', 'change', mara, '--name', 'x'])).code).toBe(5);
    const reset = await cli.run(['users', 'reset-password', changed.user.id]);
    expect([reset.code, reset.err]).toEqual([9, expect.stringContaining('signs in with API keys')]);
  });
});
