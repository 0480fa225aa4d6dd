import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
});
afterAll(() => cli.close());

const run = (...words: string[]) => cli.run(['holds', ...words]);

test('faxdesk holds creates, lists, shows and releases a legal hold', async () => {
  const placed = await run(
    'create',
    'Smith v. Harbor Clinic',
    '--reason',
    'Letter',
    '--number',
    '(202) 555-0123',
  );
  expect([placed.code, placed.err]).toEqual([0, '']);
  const [, id = ''] =
    /^Placed: (\S+)\. It covers 0 sent and 0 received faxes now\.$/mu.exec(placed.out) ?? [];
  expect((await run('list')).out).toMatch(
    new RegExp(`^${id} +Smith v. Harbor Clinic +\\+12025550123 `, 'mu'),
  );
  const shown = await run('show', id);
  expect(shown.out).toMatch(/^Covers: +\+12025550123$/mu);
  expect(shown.out).toMatch(/^Deleted after a release: +nothing: documents are kept for good$/mu);
  const released = await run('release', id, '--note', 'Settled');
  expect([released.code, released.out]).toEqual([
    0,
    expect.stringContaining('Released: Smith v. Harbor Clinic.'),
  ]);
  expect((await run('list')).out).not.toContain(id);
  expect((await run('list', '--released')).out).toContain(id);
  expect((await run('release', id)).code).toBe(6);
});

test('faxdesk holds create says what is wrong with a choice of faxes', async () => {
  const nothing = await run('create', 'Smith', '--reason', 'Letter');
  expect([nothing.code, nothing.err]).toEqual([
    9,
    expect.stringContaining('Name the faxes of the legal hold'),
  ]);
  expect((await run('create', 'Smith', '--reason', 'Letter', '--fax', 'none')).code).not.toBe(0);
});
