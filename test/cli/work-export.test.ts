import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { enrolMara } from '../setup/owner.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), INBOUND_ENABLED: 'true' });
});
afterAll(() => cli.close());

test('faxdesk work settings shows and changes the target and the backup person of a mailbox', async () => {
  const key = await readFile(join(cli.folder, 'installation.key'), 'utf8');
  await enrolMara(cli.url, key.trim());
  await cli.run(['mailboxes', 'create', '--label', 'Ward']);
  const run = async (...words: string[]) => {
    const { code, out, err } = await cli.run(['work', 'settings', ...words]);
    return code === 0 ? out : `${code} ${err}`;
  };
  expect(await run('ward', '--target', '4', '--backup', 'mara okafor')).toBe(
    'Mailbox:       Ward\nTarget:        4 h\nBackup person: Mara Okafor\nCandidates:    Mara Okafor\n',
  );
  expect(await run('Ward', '--target', 'installation')).toContain('Backup person: Mara Okafor\n');
  expect(await run()).toMatch(
    /^Target of the installation: \S.*\n\nMAILBOX .*\n\S+ +Ward +target of the installation +Mara Okafor\n$/u,
  );
  expect(await run('Ward', '--backup', 'none', '--target', '0')).toMatch(
    /Target: +none\nBackup person: +none/u,
  );
  expect(await run('Ward', '--backup', 'Nobody Known')).toBe(
    '5 Nobody Known cannot be the backup person of this mailbox. These people can: Mara Okafor.\n',
  );
  expect(await run('Ward', '--target', '1.5')).toMatch(/^2 --target must be a number of hours from 0 to /u);
  expect(await run('--target', '3')).toBe('2 Give the mailbox to change.\n');
}, 120_000);

test('faxdesk work export saves an archive, which verify-evidence checks without the gateway', async () => {
  const { work_item_id: id } = await cli.json<{ work_item_id: string }>('inbound', 'test');
  const zip = join(cli.folder, 'evidence.zip');
  const saved = await cli.run(['work', 'export', id, '--output', zip]);
  expect([saved.code, saved.err]).toEqual([0, `Saved as ${zip}.\n`]);
  expect(saved.out).toContain('The archive is complete and unchanged.');
  if (process.platform !== 'win32') expect((await stat(zip)).mode & 0o777).toBe(0o600);
  const again = await cli.run(['work', 'export', id, '--output', zip]);
  expect([again.code, again.err]).toEqual([6, `${zip} already exists. Use --overwrite to replace it.\n`]);
  expect((await cli.run(['work', 'export', 'none', '--output', `${zip}2`])).code).toBe(5);

  const { keys } = await cli.json<{ keys: { fingerprint: string }[] }>('signing', 'keys');
  const fingerprint = keys[0]?.fingerprint ?? '';
  expect((await cli.run(['signing', 'keys'])).out).toContain(`${fingerprint}  now`);
  await cli.stop();
  const verify = (...words: string[]) => cli.run(['verify-evidence', zip, ...words]);
  expect((await verify()).out).toContain(`Signed with:      ${fingerprint}\n`);
  expect(await verify('--fingerprint', fingerprint.toUpperCase())).toMatchObject({ code: 0, err: '' });
  expect((await verify('--fingerprint', 'abc')).code).toBe(9);
  const other = await verify('--fingerprint', '0'.repeat(64));
  expect([other.code, other.err]).toEqual([
    1,
    `The archive was changed after it was made.\nIt was signed with another key: its fingerprint is ${fingerprint}.\n`,
  ]);

  const bytes = await readFile(zip);
  const at = bytes.indexOf('waits for an owner');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(zip, bytes);
  expect(await verify()).toEqual({
    code: 1,
    out: '',
    err: 'The archive was changed after it was made.\nmanifest.json was altered.\n',
  });
  const none = join(cli.folder, 'none.zip');
  expect(await cli.run(['verify-evidence', none])).toMatchObject({ code: 1, err: `There is no ${none}.\n` });
}, 120_000);
