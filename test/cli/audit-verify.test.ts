import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../setup/eventually.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeEach(async () => {
  cli = await openCommandLine();
});
afterEach(() => cli.close());

const WHOLE = /^The security audit is complete and unchanged: \d+ entries\.\n$/u;

/** Changes the store directly, as a person with write access to it could. */
function change(folder: string, statement: string): void {
  const store = new BetterSqlite(join(folder, 'faxdesk.sqlite'));
  store.exec(statement);
  store.close();
}

test('faxdesk audit verify finds what was taken out of the store, with its gateway and without', async () => {
  await cli.serve();
  for (const label of ['Clinic', 'Billing']) await cli.create('/access/mailboxes', { label });
  expect(await cli.run(['audit', 'verify'])).toMatchObject({ code: 0, out: expect.stringMatching(WHOLE) });
  const { items } = await cli.json<{ items: { seq: number; operation: string }[] }>('audit', 'list');
  const seq = items.find(({ operation }) => operation === 'mailbox.create')?.seq ?? 0;
  await cli.stop();
  const offline = ['audit', 'verify', '--offline'];
  expect(await cli.run(offline)).toMatchObject({ code: 0, out: expect.stringMatching(WHOLE) });
  expect(await cli.json('audit', 'verify', '--offline')).toMatchObject({ intact: true, end_checked: true });
  change(cli.folder, `delete from security_event where seq = ${seq}`);
  const err = `Record ${seq} of the security audit is missing.\n`;
  expect(await cli.run(offline)).toEqual({ code: 1, out: '', err });
  await cli.serve();
  expect(await cli.run(['audit', 'verify'])).toEqual({ code: 1, out: '', err });
});

test('a restored backup has the chain as it was, and goes on with it', async () => {
  await cli.serve();
  await cli.create('/access/mailboxes', { label: 'Clinic' });
  await cli.stop();
  const archive = join(cli.folder, 'kept.zip');
  const restored = join(cli.folder, 'restored');
  expect((await cli.run(['backup', '--output', archive])).code).toBe(0);
  expect((await cli.run(['restore', archive, '--data', restored])).code).toBe(0);
  const verify = () => cli.run(['audit', 'verify', '--offline', '--data', restored]);
  expect(await verify()).toMatchObject({ code: 0, out: expect.stringMatching(WHOLE) });
  change(restored, 'delete from security_event where seq = 1');
  expect(await verify()).toMatchObject({ code: 1, err: 'Record 1 of the security audit is missing.\n' });
});

test('faxdesk audit verify --file checks the lines of the audit log', async () => {
  await cli.serve();
  await cli.run(['settings', 'change', 'AUDIT_LOG_ENABLED=true', 'AUDIT_LOG_FILE=audit/faxes.log']);
  const letter = join(cli.folder, 'letter.txt');
  await writeFile(letter, 'Dear colleague\n');
  for (const _fax of [1, 2]) expect((await cli.run(['send', '+12025550123', letter])).code).toBe(0);
  const file = join(cli.folder, 'audit', 'faxes.log');
  await eventually(async () => expect((await readFile(file, 'utf8')).match(/job_created/gu)).toHaveLength(2));
  await cli.stop();
  const { code, out } = await cli.run(['audit', 'verify', '--file', file]);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^The file is complete and unchanged from line number 1 to \d+\.\n$/u),
  ]);
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, lines.toSpliced(1, 1).join('\n'));
  expect(await cli.run(['audit', 'verify', '--file', file])).toEqual({
    code: 1,
    out: '',
    err: 'Before line 2 of the file, number 2 is missing.\n',
  });
});
