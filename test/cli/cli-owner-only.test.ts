import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeEach(async () => {
  cli = await openCommandLine();
  // As on most systems, where new files can be read by everybody.
  process.umask(0o022);
});
afterEach(() => cli.close());

/** Lists the files of the data folder that others can access, by name, with their mode. */
async function listFilesOpenToOthers(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of ['.', ...(await readdir(cli.folder, { recursive: true }))]) {
    const { mode } = await stat(join(cli.folder, name));
    if ((mode & 0o077) !== 0) found[name] = (mode & 0o777).toString(8);
  }
  return found;
}

test('whatever the gateway makes is for its account alone', async () => {
  const letter = join(cli.folder, 'letter.txt');
  await writeFile(letter, 'Dear colleague\n', { mode: 0o600 });
  await cli.serve();
  expect((await cli.run(['send', '+12025550123', letter])).code).toBe(0);
  expect(await listFilesOpenToOthers()).toEqual({});
  expect((await stat(join(cli.folder, 'faxdesk.sqlite-wal'))).mode & 0o777).toBe(0o600);
});

test('a folder that others could open is closed at the start, which the log says once', async () => {
  await mkdir(join(cli.folder, 'files'));
  await writeFile(join(cli.folder, 'files', 'kept.pdf'), '%PDF');
  await writeFile(join(cli.folder, '.env'), '');
  for (const [name, mode] of [
    ['.', 0o755],
    ['files', 0o755],
    ['files/kept.pdf', 0o644],
    ['.env', 0o644],
  ] as const)
    await chmod(join(cli.folder, name), mode);
  await cli.serve();
  expect(await listFilesOpenToOthers()).toEqual({});
  const log = await readFile(join(cli.folder, 'logs', 'gateway.log'), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes('it was closed to them'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', first: '.', more: 3 });
});

test('what it cannot close is a warning', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'faxdesk-elsewhere-'));
  await chmod(elsewhere, 0o755);
  await symlink(elsewhere, join(cli.folder, 'backups'));
  await cli.serve();
  const answer = (await (await fetch(`${cli.url}/health/ready`)).json()) as { warnings: string[] };
  expect(answer.warnings.filter((each) => each.startsWith('Other accounts'))).toEqual([
    `Other accounts on this computer can open ${join(cli.folder, 'backups')}, and Faxdesk could not prevent it: it is a link to somewhere else, which is left as it is.`,
  ]);
  await rm(elsewhere, { recursive: true });
});
