import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mailbox, Rule } from '../../server/cli/find-access.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
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

describe('faxdesk mailboxes and rules', () => {
  test('file the faxes to a number in a mailbox, and name both as people do', async () => {
    expect(await run('mailboxes', 'create', '--label', 'Clinic')).toMatch(
      /^Id: +\S+\nLabel: +Clinic\nState: +enabled\nNumbers: +none\n$/u,
    );
    await cli.create('/access/mailboxes', { label: 'Billing' });
    expect(await run('rules', 'create', '(202) 555-0123', '--mailbox', 'clinic')).toMatch(
      /Number: +\+12025550123\nMailbox: +Clinic\n$/u,
    );
    expect(await run('mailboxes', 'list')).toMatch(/^\S+ +Clinic +enabled +\+12025550123$/mu);
    const moved = ['rules', 'change', '202 555 0123', '--mailbox', 'Billing', '--number', '+442079460123'];
    const { rule } = await cli.json<{ rule: Rule }>(...moved);
    expect(rule).toMatchObject({ to_number: '+442079460123', mailbox: { label: 'Billing' }, version: 2 });
    expect(await run('rules', 'list', '--mailbox', 'billing')).toMatch(/^\S+ +\+442079460123 +Billing$/mu);
    const renamed = ['mailboxes', 'change', 'billing', '--label', 'Accounts', '--enabled', 'no'];
    const disabled = await cli.json<{ mailbox: Mailbox }>(...renamed);
    expect(disabled.mailbox).toMatchObject({ label: 'Accounts', enabled: false, numbers: ['+442079460123'] });
    expect(await run('rules', 'list')).toMatch(/ Accounts \(disabled\)$/mu);
    expect(await refusal('rules', 'remove', '79460123')).toEqual([5, 'There is no such number rule.']);
    expect(await run('rules', 'remove', '020 7946 0123')).toBe(
      'Faxes to +442079460123 are no longer filed in Accounts.\n',
    );
    expect((await cli.json<{ items: Rule[] }>('rules', 'list')).items).toEqual([]);
  });

  test('say in exit codes what was wrong', async () => {
    await cli.create('/access/mailboxes', { label: 'Archive' });
    expect(await refusal('mailboxes', 'create', '--label', 'archive')).toEqual([6, 'That name is taken.']);
    expect((await refusal('mailboxes', 'change', 'Archive'))[0]).toBe(2);
    expect((await refusal('mailboxes', 'change', 'Attic', '--label', 'x'))[0]).toBe(5);
    expect((await refusal('rules', 'create', '12', '--mailbox', 'Archive'))[0]).toBe(9);
    expect((await refusal('rules', 'create', '+12025550199', '--mailbox', 'Attic'))[0]).toBe(5);
  });
});

describe('faxdesk audit', () => {
  test('lists who did what, by person, operation and time', async () => {
    await cli.create('/access/users', { login: 'ines', display_name: 'Ines Duarte' });
    const list = await run('audit', 'list', '--actor', 'bootstrap', '--operation', 'user.create');
    expect(list.split('\n')).toEqual([
      expect.stringMatching(/^AT +WHAT HAPPENED +TIMES +WITH +OPERATION +OUTCOME +TARGET$/u),
      expect.stringMatching(
        /^\S+Z +The installation key created the person Ines Duarte\. +1 +\S+ +user\.create +done +principal \S+$/u,
      ),
      '',
    ]);
    const none = await cli.json<{ items: unknown[] }>('audit', 'list', '--actor', 'Ines Duarte');
    expect(none.items).toEqual([]);
    const before = ['audit', 'list', '--until', '2020-01-01T00:00:00Z'];
    expect((await cli.json<{ items: unknown[] }>(...before)).items).toEqual([]);
    expect((await refusal('audit', 'list', '--actor', 'nobody'))[0]).toBe(5);
  });

  test('is saved as a file of its owner, and replaces another only with --overwrite', async () => {
    await cli.create('/access/users', { login: 'tomas', display_name: 'Tomas Lind' });
    const file = join(cli.folder, 'audit.csv');
    const words = ['audit', 'export', '--output', file, '--operation', 'user.create'];
    const saved = await cli.run(words);
    expect([saved.code, saved.out, saved.err]).toEqual([0, '', `Saved as ${file}.\n`]);
    const csv = await readFile(file, 'utf8');
    expect(csv).toMatch(/^at,actor_id,actor_name,/u);
    expect(csv).toContain('user.create');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const json = [...words, '--format', 'json'];
    expect(await refusal(...json)).toEqual([6, `${file} already exists. Use --overwrite to replace it.`]);
    expect(await readFile(file, 'utf8')).toBe(csv);
    expect((await refusal(...words, '--overwrite', '--format', 'xml'))[0]).toBe(9);
    expect(await readFile(file, 'utf8')).toBe(csv);
    await run(...json, '--overwrite');
    const entries = JSON.parse(await readFile(file, 'utf8')) as { operation: string }[];
    expect(new Set(entries.map(({ operation }) => operation))).toEqual(new Set(['user.create']));
    expect((await readdir(cli.folder)).filter((name) => name.startsWith('.new-'))).toEqual([]);
  });
});

describe('faxdesk work statistics', () => {
  test('prints them by mailbox and person, and saves them as a file', async () => {
    const shown = await run('work', 'statistics', '--since', '2026-01-01T00:00');
    expect(shown).toMatch(
      /^MAILBOX +RECEIVED +IN TIME +LATE +DUE LATER +NO TARGET +ACKNOWLEDGED +MEDIAN +DONE /u,
    );
    expect(shown).toMatch(/^All together +0 +0 +0 +0 +0 +0 +- +0 +- +0 +0$/mu);
    const file = join(cli.folder, 'work.csv');
    await run('work', 'statistics', '--output', file);
    expect(await readFile(file, 'utf8')).toMatch(/^of,id,name,received,.+\r\nall,,,0,0,/u);
    expect(await refusal('work', 'statistics', '--output', file)).toEqual([
      6,
      `${file} already exists. Use --overwrite to replace it.`,
    ]);
    const backwards = ['--since', '2026-11-02T00:00', '--until', '2026-11-01T00:00'];
    expect(await refusal('work', 'statistics', ...backwards)).toEqual([
      9,
      'Choose at most 366 days, with the end after the beginning.',
    ]);
  });
});
