import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Grant, Group, Principal, Role } from '../../server/cli/find-access.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
  await cli.create('/auth/owner/enroll', { login: 'mara', display_name: 'Mara Okafor' });
  for (const [login, name] of [
    ['ines', 'Ines Duarte'],
    ['tomas', 'Tomas Lind'],
  ] as const)
    await cli.create('/access/users', { login, display_name: name });
});
afterAll(() => cli.close());

const run = async (...words: string[]) => {
  const { code, out, err } = await cli.run(words);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${code} ${err}`);
  return out;
};
const refusal = async (...words: string[]) => {
  const { code, err } = await cli.run(words);
  return [code, err.trimEnd()];
};

describe('faxdesk groups', () => {
  test('creates a group, puts people in and takes them out', async () => {
    const made = await run('groups', 'create', '--name', 'Reception', '--description', 'Front desk');
    expect(made).toMatch(
      /^Id: +\S+\nName: +Reception\nDescription: +Front desk\nState: +enabled\nMembers: +0\n$/u,
    );
    expect(await run('groups', 'add-member', 'reception', 'ines')).toBe(
      'Ines Duarte is in the group Reception.\n',
    );
    expect(await refusal('groups', 'add-member', 'Reception', 'ines')).toEqual([
      6,
      'That person is already in the group.',
    ]);
    expect(await run('groups', 'show', 'Reception')).toMatch(
      /Members: +1\n\nMEMBER +NAME +KIND +STATE +SINCE\n\S+ +Ines Duarte +user +enabled +\S+Z\n$/u,
    );
    expect(await run('users', 'show', 'ines')).toMatch(/Groups: +Reception\n$/u);
    expect(await run('groups', 'list')).toMatch(/^\S+ +Reception +enabled +1 +Front desk$/mu);
    expect(await run('groups', 'remove-member', 'Reception', 'Ines Duarte')).toBe(
      'Ines Duarte is no longer in the group Reception.\n',
    );
    expect(await refusal('groups', 'remove-member', 'Reception', 'ines')).toEqual([
      5,
      'That person is not in the group.',
    ]);
  });

  test('changes what is said, and keeps names apart', async () => {
    const { group } = await cli.json<{ group: Group }>('groups', 'create', '--name', 'Archive');
    const words = ['groups', 'change', 'ARCHIVE', '--name', 'Records', '--enabled', 'no'];
    const changed = await cli.json<{ group: Group }>(...words);
    expect(changed.group).toMatchObject({ id: group.id, name: 'Records', enabled: false, version: 2 });
    await cli.create('/access/groups', { name: 'Billing' });
    expect(await refusal('groups', 'change', group.id, '--name', 'billing')).toEqual([
      6,
      'That name is taken.',
    ]);
    expect(await refusal('groups', 'show', 'Archive')).toEqual([5, 'There is no such group.']);
  });
});

describe('faxdesk roles', () => {
  test('lists, shows and creates roles, and adds and removes permissions', async () => {
    expect(await run('roles', 'list')).toMatch(/^role_owner +\S.* built in +enabled +not required +\d+$/mu);
    expect(await run('roles', 'permissions')).toMatch(/^fax:send +Faxes +Send faxes$/mu);
    const made = await run('roles', 'create', '--name', 'Sender', '--permission', 'fax:send', 'fax:read');
    expect(made).toMatch(/Kind: +own\nState: +enabled\nSecond factor: +not required\nAllows: +\S+ \S+\n$/u);
    const words = ['roles', 'change', 'sender', '--add', 'fax:document', '--remove', 'fax:send'];
    const { role } = await cli.json<{ role: Role }>(...words, '--two-factor', 'yes');
    expect(new Set(role.permissions)).toEqual(new Set(['fax:read', 'fax:document']));
    expect(role).toMatchObject({ name: 'Sender', requires_two_factor: true, version: 2 });
    const kept = await cli.json<{ role: Role }>('roles', 'change', 'Sender', '--description', 'By hand');
    expect(kept.role.permissions).toEqual(role.permissions);
    const whole = await cli.json<{ role: Role }>('roles', 'change', role.id, '--permission', 'fax:send');
    expect(whole.role.permissions).toEqual(['fax:send']);
    expect(await run('roles', 'show', 'Sender')).toMatch(/Description: +By hand\n[^]*Allows: +fax:send\n$/u);
  });

  test('refuses what cannot be: built-in roles, unknown permissions, nothing to do', async () => {
    expect((await refusal('roles', 'change', 'role_owner', '--name', 'Boss'))[0]).toBe(6);
    expect((await refusal('roles', 'create', '--name', 'Pilot', '--permission', 'fax:fly'))[0]).toBe(9);
    await cli.create('/access/roles', { name: 'Reader', permissions: ['fax:read'] });
    expect(await refusal('roles', 'change', 'Reader', '--remove', 'fax:sned')).toEqual([
      9,
      'The role Reader does not allow fax:sned.',
    ]);
    expect((await refusal('roles', 'change', 'Reader'))[0]).toBe(2);
    expect((await refusal('roles', 'show', 'Writer'))[0]).toBe(5);
  });
});

describe('faxdesk grants', () => {
  test('gives a role to a person and to a group, says why, and takes it away again', async () => {
    await cli.create('/access/mailboxes', { label: 'Clinic' });
    await cli.create('/access/roles', { name: 'Looker', permissions: ['fax:read', 'inbound:list'] });
    await cli.create('/access/groups', { name: 'Night shift' });
    await run('groups', 'add-member', 'Night shift', 'tomas');
    expect(await run('grants', 'why', 'tomas')).toBe(
      'Tomas Lind has no permissions, because they have no role.\n',
    );
    expect(await run('grants', 'create', 'looker', '--to', 'tomas')).toMatch(
      /^Tomas Lind has the role Looker on Everything\. \(\S+\)\n$/u,
    );
    expect(await run('grants', 'create', 'Looker', '--to-group', 'night shift', '--on', 'clinic')).toMatch(
      /^Night shift has the role Looker on Clinic\. \(\S+\)\n$/u,
    );
    const why = await cli.run(['grants', 'why', 'Tomas Lind']);
    expect(why.out.split('\n').map((line) => line.split(/ {2,}/u))).toEqual([
      ['MAY', 'WHERE', 'BECAUSE'],
      ['fax:read', 'Everything', 'has the role Looker'],
      ['fax:read', 'Clinic', 'the group Night shift has the role Looker'],
      ['inbound:list', 'Everything', 'has the role Looker'],
      ['inbound:list', 'Clinic', 'the group Night shift has the role Looker'],
      [''],
    ]);
    expect(why.err).toBe('These permissions do not work until they choose their own password.\n');
    expect(await run('grants', 'list', '--role', 'Looker', '--on', 'Clinic')).toMatch(
      /^\S+ +Night shift +group +Looker +Clinic +\S+Z\n$/mu,
    );
    expect(await run('grants', 'remove', 'looker', '--from', 'tomas')).toBe(
      'Removed: Tomas Lind has the role Looker on Everything.\n',
    );
    expect((await refusal('grants', 'remove', 'looker', '--from', 'tomas'))[0]).toBe(5);
    const { items } = await cli.json<{ items: Grant[] }>('grants', 'list', '--of-group', 'Night shift');
    expect(items).toHaveLength(1);
    await run('grants', 'remove', items[0]?.id ?? '');
    const { user, effective } = await cli.json<{ user: Principal; effective: unknown[] }>(
      'grants',
      'why',
      'tomas',
    );
    expect([user.login, effective]).toEqual(['tomas', []]);
    await run('users', 'change', 'tomas', '--enabled', 'no');
    expect(await run('grants', 'why', 'tomas')).toBe('Tomas Lind is disabled and has no permissions.\n');
  });

  test('refuses half a sentence, unknown resources, and what the giver does not hold', async () => {
    await cli.create('/access/roles', { name: 'Helper', permissions: ['fax:reconcile'] });
    const give = ['grants', 'create', 'Helper'];
    expect((await refusal(...give))[0]).toBe(2);
    expect((await refusal(...give, '--to', 'ines', '--to-group', 'x'))[0]).toBe(2);
    expect((await refusal('grants', 'remove', 'Helper', '--on', 'installation'))[0]).toBe(2);
    expect((await refusal(...give, '--to', 'nobody'))[0]).toBe(5);
    expect((await refusal(...give, '--to', 'ines', '--on', 'Nowhere'))[0]).toBe(5);
    const scopes = ['users:read', 'roles:read', 'grants:read', 'grants:manage'];
    const { token } = await cli.json<{ token: string }>(
      'keys',
      'create',
      '--name',
      'Trial',
      '--scope',
      ...scopes,
    );
    expect(await refusal(...give, '--to', 'ines', '--key', token)).toEqual([
      4,
      'You can give only permissions that you have there yourself.',
    ]);
    await run(...give, '--to', 'ines', '--on', 'installation');
    expect((await refusal(...give, '--to', 'ines'))[0]).toBe(6);
  });
});
