import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RELEASE } from '../../server/config/release.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { runWithFault } from '../setup/step-faults.ts';
import { makeBackup, restore } from '../store/backup-setup.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const FINISHED = 'An interrupted restore was finished: the restored installation is in place.';

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
  const { wasBroken } = await runWithFault(half, () => restore(backup, { dataFolder }, RELEASE));
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
    expect(err).toMatch(new RegExp(`^${FINISHED}\n\\{.*"exit_code":1\\}\n$`, 'u'));
    const { store } = JSON.parse(out) as { store: { problem: string | null; faxes: object } };
    expect(store).toMatchObject({ problem: null, faxes: { success: 1, in_progress: 1 } });
    await settled();
  });

  test('by the next restore, which then finds an installation', async () => {
    const again = await cli.run(['restore', backup, '--data', dataFolder]);
    expect([again.code, again.err]).toEqual([
      6,
      `${FINISHED}\nThere is already an installation in ${dataFolder}. Use --replace to move it aside. Nothing was changed.\n`,
    ]);
    await settled();
  });
});

describe('A data folder whose data key is missing', () => {
  const NOT_IN_IT =
    'The data key (data.key) is not in this backup. Without it this encrypted data cannot be opened: accounts of providers and mail servers, second factors, the root certificate of HTTPS, and documents where they are encrypted.';
  const UNTIL =
    'Faxdesk sends and receives nothing until that file is back in the data folder, from the former computer or an older backup.';
  const keyFile = () => join(dataFolder, 'data.key');
  const backUpTo = (name: string, ...more: string[]) =>
    cli.run(['backup', join(cli.folder, name), '--data', dataFolder, ...more]);
  const restoreFrom = (name: string, folder: string, ...more: string[]) =>
    cli.run(['restore', join(cli.folder, name), '--data', folder, ...more]);

  test('is backed up with a sentence and a failure, replaces no whole backup, and is restored with what it lacks', async () => {
    await cli.serve({ ...sendingSettings(cli.emulator), FAXDESK_DATA: dataFolder });
    await cli.stop();
    const whole = await backUpTo('whole.zip');
    expect([whole.code, whole.err]).toEqual([
      0,
      'It contains the keys of this installation. Keep it as safe as the installation itself.\n',
    ]);
    const bytes = await readFile(join(cli.folder, 'whole.zip'));
    const key = await readFile(keyFile());
    await rm(keyFile());

    const replacing = await backUpTo('whole.zip', '--overwrite');
    expect([replacing.code, replacing.out]).toEqual([1, '']);
    expect(replacing.err).toBe(
      `${join(cli.folder, 'whole.zip')} was not replaced. ${NOT_IN_IT} Write it to another file.\n`,
    );
    expect((await readFile(join(cli.folder, 'whole.zip'))).equals(bytes)).toBe(true);
    const lacking = await backUpTo('lacking.zip', '--json');
    expect([lacking.code, JSON.parse(lacking.err)]).toEqual([
      1,
      { detail: `The backup was written. ${NOT_IN_IT}`, exit_code: 1 },
    ]);
    expect(JSON.parse(lacking.out)).toMatchObject({ key: 'missing' });
    await writeFile(keyFile(), `${Buffer.alloc(32, 9).toString('base64')}\n`);
    expect(JSON.parse((await backUpTo('other.zip', '--json')).out)).toMatchObject({ key: 'other' });

    const elsewhere = join(cli.folder, 'elsewhere');
    const restored = await restoreFrom('lacking.zip', elsewhere);
    expect([restored.code, restored.err.split('\n').at(-2)]).toEqual([0, `${NOT_IN_IT} ${UNTIL}`]);
    expect(await readdir(elsewhere)).not.toContain('data.key');
    await writeFile(join(elsewhere, 'data.key'), key);
    const again = await restoreFrom('lacking.zip', elsewhere, '--replace', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ key: 'whole' });
    expect((await readFile(join(elsewhere, 'data.key'))).equals(key)).toBe(true);
  });
});
