import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RELEASE } from '../../server/config/release.ts';
import { breakAt } from '../setup/broken-steps.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { makeBackup, restore } from '../store/backup-setup.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const FINISHED = 'A restore that was broken off was finished: the restored installation is in place.';

let cli: CommandLine;
let dataFolder: string;
let backup: string;
beforeAll(async () => {
  cli = await openCommandLine();
  dataFolder = join(cli.folder, 'data');
  backup = join(cli.folder, 'b.zip');
  await makeBackup(backup);
});
afterAll(() => cli.close());

/** A restore that was killed when half of the restored installation was in place. */
beforeEach(async () => {
  await rm(dataFolder, { recursive: true, force: true });
  const half = { at: /^after rename .*\/files$/u, with: 'kill' } as const;
  const { wasBroken } = await breakAt(half, () => restore(backup, { dataFolder }, RELEASE));
  expect(wasBroken).toBe(true);
  expect(await readdir(dataFolder)).not.toContain('data.key');
});

const settled = async () => {
  const names = await readdir(dataFolder);
  expect(names).toEqual(expect.arrayContaining(['data.key', 'faxdesk.sqlite', 'files', 'https']));
  expect(names.filter((name) => name.includes('restore'))).toEqual([]);
};

describe('A restore that was killed is finished', () => {
  test('by the start of the gateway', async () => {
    const environment = { ...sendingSettings(cli.emulator), FAXDESK_DATA: dataFolder };
    await cli.serve(environment);
    await settled();
    expect(await cli.stop()).toBe(0);
  });

  test('by a command that reads the folder', async () => {
    const { out, err } = await cli.run(['diagnose', '--json', '--data', dataFolder]);
    expect(err).toBe(`${FINISHED}\n`);
    const { store } = JSON.parse(out) as { store: { problem: string | null; faxes: object } };
    expect(store).toMatchObject({ problem: null, faxes: { success: 1, in_progress: 1 } });
    await settled();
  });

  test('by the next restore, which then finds an installation', async () => {
    const again = await cli.run(['restore', backup, '--data', dataFolder]);
    expect([again.code, again.err]).toEqual([
      6,
      `${FINISHED}\nThere is an installation in ${dataFolder} already; with --replace it is moved aside. Nothing was changed.\n`,
    ]);
    await settled();
  });
});
