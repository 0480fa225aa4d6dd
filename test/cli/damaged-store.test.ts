import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { RELEASE } from '../../server/config/release.ts';
import { damageHeader } from '../setup/damage-store.ts';
import { makeBackup, restore } from '../store/backup-setup.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const DAMAGED =
  'The database is damaged, and nothing was written to it. Restore a backup with "faxdesk restore <backup> --replace", which moves the current data aside.';

let cli: CommandLine;
let dataFolder: string;
let backup: string;
beforeAll(async () => {
  cli = await openCommandLine();
  dataFolder = join(cli.folder, 'data');
  backup = join(cli.folder, 'b.zip');
  await makeBackup(backup);
  await restore(backup, { dataFolder }, RELEASE);
  await damageHeader(dataFolder);
});
afterAll(() => cli.close());

test.each([
  [['serve', '--port', '0'], EXIT.broken, `${DAMAGED}\n`],
  [['recover-owner', '--login', 'mara'], EXIT.broken, `${DAMAGED}\n`],
  [
    ['backup', 'new.zip'],
    EXIT.failed,
    'The database is damaged, so no backup was written: it could not be restored. Restore an older backup.\n',
  ],
])(
  'rule (database): commands report trouble of the database in a sentence of ours, never in its own words [%s]',
  async (words, exitCode, said) => {
    const { code, out, err } = await cli.run([...words, '--data', dataFolder]);
    expect([code, out, err.split('\n').slice(-2).join('\n')]).toEqual([exitCode, '', said]);
  },
);

test('faxdesk diagnose says so as well, and restore puts a backup in its place', async () => {
  const { out } = await cli.run(['diagnose', '--json', '--data', dataFolder]);
  expect(JSON.parse(out)).toMatchObject({ store: { problem: DAMAGED } });
  const { code, err } = await cli.run(['restore', backup, '--replace', '--data', dataFolder]);
  expect([code, err]).toEqual([0, expect.stringContaining('as they were in the backup')]);
  expect(await readdir(dataFolder)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^before_restore_/u)]),
  );
  const well = await cli.run(['diagnose', '--json', '--data', dataFolder]);
  expect(JSON.parse(well.out)).toMatchObject({ store: { problem: null } });
  await rm(dataFolder, { recursive: true });
});
