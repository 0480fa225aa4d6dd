import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXTURE } from '../setup/earlier-installation.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
});
afterAll(() => cli.close());

const upgrade = (folder: string, ...more: string[]) =>
  cli.run(['upgrade', '--data', folder, '--from', FIXTURE.from, '--files', FIXTURE.files, ...more]);

test('an upgrade prints its report, first without changing anything, then once and for all', async () => {
  const folder = join(cli.folder, 'upgraded');
  const env = ['--env', FIXTURE.environmentFile ?? ''];
  const dry = await upgrade(folder, ...env, '--dry-run');
  expect([dry.code, dry.err]).toEqual([0, 'This was a dry run: nothing was changed.\n']);
  expect(dry.out).toMatch(/^An upgrade would do this:\n/u);
  expect(await readdir(folder).catch(() => null)).toBeNull();
  const real = await upgrade(folder, ...env);
  expect(real.code).toBe(0);
  expect(real.err).toMatch(/^A backup of this installation was made first: .+\.zip\n$/u);
  expect(real.out.split('\n').slice(1)).toEqual(dry.out.split('\n').slice(1));
  const again = await upgrade(folder, ...env, '--json');
  expect([again.code, again.err]).toEqual([0, '']);
  expect(JSON.parse(again.out)).toMatchObject({ repeated: true, counts: { sent_moved: 60 }, lines: 35 });
});

test('an upgrade is refused while the gateway runs, and for what is no earlier installation', async () => {
  await cli.serve(sendingSettings(cli.emulator));
  const running = await upgrade(cli.folder);
  expect([running.code, running.err]).toEqual([10, `Faxdesk is already running on ${cli.folder}.\n`]);
  const folder = join(cli.folder, 'other');
  const missing = await cli.run([
    'upgrade',
    '--data',
    folder,
    '--from',
    join(folder, 'no.db'),
    '--files',
    FIXTURE.files,
  ]);
  expect([missing.code, missing.err]).toEqual([1, `There is no database ${join(folder, 'no.db')}.\n`]);
  expect((await cli.run(['upgrade', '--data', folder])).code).toBe(2);
});
