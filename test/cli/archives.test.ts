import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
});
afterAll(() => cli.close());

const run = (...words: string[]) => cli.run(['archives', ...words]);

test('faxdesk archives creates, verifies and lists the archive of a past year', async () => {
  const path = join(cli.folder, 'faxdesk-2023.zip');
  const made = await run('create', '--year', '2023', '--output', path);
  expect([made.code, made.out]).toEqual([
    0,
    expect.stringContaining('The archive is complete and unchanged.'),
  ]);
  expect(existsSync(path)).toBe(true);
  expect((await run('create', '--year', '2023', '--output', path)).code).toBe(6);
  expect((await run('verify', path)).out).toMatch(/^Sent faxes: +0$/mu);
  expect((await run('list', path, '--search', '5550123')).code).toBe(0);
  expect((await run('show', path, 'none')).code).toBe(5);
  const keys = await cli.run(['signing', 'keys']);
  const [fingerprint = ''] = /[0-9a-f]{64}/u.exec(keys.out) ?? [];
  expect(fingerprint).not.toBe('');
  expect((await run('verify', path, '--fingerprint', fingerprint)).code).toBe(0);
  const other = await run('verify', path, '--fingerprint', 'ab'.repeat(32));
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('signed with another key')]);
});

test('faxdesk archives create refuses a year that is not over', async () => {
  const path = join(cli.folder, 'later.zip');
  const refused = await run('create', '--year', '9000', '--output', path);
  expect([refused.code, refused.err]).toEqual([6, expect.stringContaining('not over yet')]);
  expect(existsSync(path)).toBe(false);
  expect((await run('create', '--year', 'last', '--output', path)).code).toBe(9);
});

test('faxdesk archives remove says what would be removed, and removes nothing without --yes', async () => {
  const path = join(cli.folder, 'to-remove.zip');
  expect((await run('create', '--year', '2022', '--output', path)).code).toBe(0);
  const asked = await run('remove', '--year', '2022', '--archive', path);
  expect([asked.code, asked.err]).toEqual([6, expect.stringContaining('repeat the command with --yes')]);
  const listed = await run('removals');
  expect(listed.out).toMatch(/2022 +ready +0 +0/u);
  const wrong = await run('remove', '--year', '2021', '--archive', path);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('The archive is that of 2022.')]);
  expect((await run('remove', '--year', '2022', '--archive', join(cli.folder, 'none.zip'))).code).toBe(9);
});
