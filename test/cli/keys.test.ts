import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Key } from '../../server/cli/key-words.ts';
import { DEVICE_PERMISSIONS } from '../../shared/api/pairing.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let person: string;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
  const enrolled = await cli.run(['owner', 'enroll', '--login', 'mara', '--name', 'Mara Okafor', '--json']);
  person = (JSON.parse(enrolled.out) as { user: { id: string } }).user.id;
});
afterAll(() => cli.close());

const json = <T>(...words: string[]) => cli.json<T>(...words);
interface Made {
  key: Key;
  token: string;
}
const make = (...words: string[]) => json<Made>('keys', 'create', '--for', 'mara', ...words);
const codeOf = async (...words: string[]) => (await cli.run(words)).code;

describe('faxdesk keys', () => {
  test('makes a key for a person, lists it, changes it and ends it', async () => {
    const { key, token } = await make('--name', 'Scanner', '--scope', 'fax:read', 'fax:send');
    expect(key).toMatchObject({ name: 'Scanner', principal: { id: person }, state: 'active' });
    expect(token).toMatch(/^key_live_/u);
    const listed = await cli.run(['keys', 'list', '--of', 'mara', '--state', 'active']);
    expect(listed.out).toMatch(
      new RegExp(
        `^${key.key_id} +Scanner +Mara Okafor +active +Installation key +fax:read fax:send +- +-$`,
        'mu',
      ),
    );
    const change = ['keys', 'change', key.key_id, '--name', 'Printer', '--scope', 'fax:read'];
    const changed = await cli.run([...change, '--expires', '2090-01-01T00:00:00Z']);
    expect([changed.code, changed.out]).toEqual([0, expect.stringMatching(/Name: +Printer\n/u)]);
    expect(changed.out).toMatch(/Permissions: +fax:read\nExpires: +2090-01-01T00:00:00.000Z\n$/u);
    const lasting = await json<{ key: Key }>('keys', 'change', key.key_id, '--expires', 'never');
    expect(lasting.key).toMatchObject({ name: 'Printer', expires_at: null, version: 3 });
    expect((await cli.run(['keys', 'revoke', key.key_id])).out).toBe(`Key ${key.key_id} is revoked.\n`);
    const { items } = await json<{ items: Key[] }>('keys', 'list', '--of', person, '--state', 'revoked');
    expect(items.map((each) => each.key_id)).toEqual([key.key_id]);
    expect(await codeOf('keys', 'change', key.key_id, '--name', 'x')).toBe(6);
  });

  test('gives another token, at once or beside the old one', async () => {
    const { key, token } = await make('--name', 'Lab');
    const rotated = await json<{ token: string }>('keys', 'rotate', key.key_id);
    expect(await codeOf('me', '--key', token)).toBe(3);
    const replace = ['keys', 'replace', key.key_id, '--old-expires', '2090-01-01T00:00:00Z'];
    const replaced = await cli.run([...replace, '--json']);
    expect(replaced.err).toContain(`Key ${key.key_id} expires at 2090-01-01T00:00:00.000Z.`);
    const second = JSON.parse(replaced.out) as Made;
    expect(second.key).toMatchObject({ name: 'Lab', expires_at: null });
    // The owner has not chosen a password yet, so the keys open nothing; both are recognized.
    for (const each of [rotated.token, second.token]) expect(await codeOf('me', '--key', each)).toBe(0);
    const page = await cli.run(['keys', 'list', '--limit', '1']);
    const cursor = /More with --cursor (\S+)/u.exec(page.out)?.[1] ?? '';
    const next = await json<{ items: Key[] }>('keys', 'list', '--limit', '1', '--cursor', cursor);
    expect([page.out.includes(second.key.key_id), next.items[0]?.key_id]).toEqual([true, key.key_id]);
  });

  test('says in exit codes what was wrong', async () => {
    const { key } = await make();
    expect(await codeOf('keys', 'change', 'none', '--name', 'x')).toBe(5);
    expect(await codeOf('keys', 'rotate', 'none')).toBe(5);
    expect(await codeOf('keys', 'create', '--for', 'nobody')).toBe(5);
    expect(await codeOf('keys', 'create', '--for', 'mara', '--owner', 'IT')).toBe(2);
    expect(await codeOf('keys', 'create', '--for', 'mara', '--scope', 'fax:fly')).toBe(9);
    expect(await codeOf('keys', 'create', '--for', 'mara', '--scope', 'inbound:list@mailbox:none')).toBe(9);
    expect(await codeOf('keys', 'change', key.key_id, '--expires', '2020-01-01T00:00:00Z')).toBe(9);
    const approve = ['keys', 'approve', key.key_id, '--for', 'mara', '--scope', 'fax:read'];
    const waiting = await cli.run(approve);
    expect([waiting.code, waiting.err]).toEqual([6, 'That API key is not waiting for approval.\n']);
    const weak = await json<{ token: string }>(
      'keys',
      'create',
      '--name',
      'Trial',
      '--scope',
      'keys:manage',
      'users:read',
    );
    expect(await codeOf(...approve.toSpliced(1, 2, 'create'), '--key', weak.token)).toBe(4);
  });
});

test('faxdesk pair shows a code and its end, and the code pairs one device', async () => {
  const shown = await cli.run(['pair']);
  expect(shown.out).toMatch(/^Code: +\d{3} \d{3}\nUntil: +\d{4}-\S+Z\n$/u);
  const { code } = await json<{ code: string }>('pair', '--name', 'Phone of Mara');
  const pair = () =>
    fetch(`${cli.url}/mobile/pair`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
  const answer = await pair();
  expect(answer.status).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  const me = await json<{ principal: { display_name: string } }>('me', '--key', token);
  expect(me.principal.display_name).toBe('Device: Phone of Mara');
  expect((await pair()).status).toBe(403);
  const weak = await json<{ token: string }>(
    'keys',
    'create',
    '--name',
    'Weak',
    '--scope',
    'tunnels:pair',
    ...DEVICE_PERMISSIONS.slice(1),
  );
  expect(await codeOf('pair', '--key', weak.token)).toBe(4);
});
