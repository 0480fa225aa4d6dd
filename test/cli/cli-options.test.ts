import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MARK_FILE } from '../../server/adapters/storage/reserved-names.ts';
import { outcomeOf } from '../../server/cli/exit-codes.ts';
import { BACKEND_NAMES } from '../setup/backend-names.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
});
afterAll(() => cli.close());

const LONG = 'x'.repeat(300);

describe('a value that does not fit', () => {
  test.each([
    [['jobs', 'list', '--search', LONG], '--search must have at most 100 characters.'],
    [['jobs', 'list', '--limit', 'many'], '--limit must be a whole number.'],
    [['jobs', 'list', '--since', 'yesterday'], '--since must be a time such as 2026-10-31T08:00:00.000Z.'],
    [['inbound', 'list', '--status', 'lost'], '--status must be one of waiting, received, failed.'],
    [['keys', 'list', '--state', 'lost'], '--state must be one of active, review, expired, revoked.'],
    [
      ['keys', 'create', '--expires', 'soon', '--name', LONG],
      '--name must have at most 100 characters. --expires must be a time such as 2026-10-31T08:00:00.000Z.',
    ],
    [['audit', 'list', '--outcome', 'maybe'], '--outcome must be one of done, refused.'],
    [['pair', '--name', LONG], '--name must have at most 100 characters.'],
    [['settings', 'validate', 'nobody'], '<provider> does not accept that value.'],
    [
      ['settings', 'change', 'MAX_FILE_SIZE_MB=huge'],
      'MAX_FILE_SIZE_MB does not accept that value: it must be a whole number from 1 to 1000. The largest document that is accepted, in megabytes.',
    ],
    [
      ['settings', 'change', 'FAX_BACKEND=pigeon'],
      expect.stringContaining(
        `FAX_BACKEND does not accept that value: it must be one of ${BACKEND_NAMES.join(', ')}. `,
      ),
    ],
  ])('of faxdesk %j is named as it was typed', async (words, sentence) => {
    const { code, out, err } = await cli.run(words);
    expect([code === 0, out, err.trimEnd()]).toEqual([false, '', sentence]);
  });

  test('of an entry of a list is named by its option', async () => {
    const { code, err } = await cli.run(['keys', 'create', '--name', 'x', '--scope', 'fax:fly']);
    expect([code, err]).toEqual([9, expect.stringMatching(/^--scope must be one of fax:send, /u)]);
  });

  test('of serve is named as it was given', async () => {
    const other = { FAXDESK_DATA: `${cli.folder}/other` };
    const told = await cli.run(['serve', '--port', 'high'], other);
    expect([told.code, told.err]).toEqual([9, '--port must be a number from 0 to 65535.\n']);
    const set = await cli.run(['serve'], { ...other, PORT: 'high' });
    expect([set.code, set.err]).toEqual([9, 'PORT must be a number from 0 to 65535.\n']);
  });
});

describe('with --json, words that no command takes', () => {
  test.each([
    [['jobs', 'list', '--json', '--colour'], "unknown option '--colour'"],
    [['--json', 'send'], "missing required argument 'number'"],
    [['jobs', '--json'], 'Give a command. Use --help to list them.'],
    [
      ['keys', 'create', '--json'],
      'Give the purpose of the key, such as --name "Practice system", or use --for to choose its person or integration.',
    ],
  ])('are printed as JSON: %j', async (words, detail) => {
    const { code, out, err } = await cli.run(words);
    expect([code, out, JSON.parse(err)]).toEqual([
      2,
      '',
      { detail: detail ?? expect.any(String), exit_code: 2 },
    ]);
  });
});

test('a key gets a name or a person, else none is made', async () => {
  const before = await cli.json<{ items: object[] }>('keys', 'list');
  const told = await cli.run(['keys', 'create', '--scope', 'fax:read']);
  expect([told.code, told.out]).toEqual([2, '']);
  expect(await cli.json('keys', 'list')).toEqual(before);
});

test('a folder is sent by no command, and that is said at once', async () => {
  const { code, err } = await cli.run(['send', '+12025550123', cli.folder]);
  expect([code, err]).toEqual([9, `${cli.folder} is a folder. List its files instead.\n`]);
});

describe('a data folder that is not there', () => {
  const typo = () => join(cli.folder, 'typo');
  test.each([
    [['backup', 'b.zip']],
    [['diagnose', '--history']],
    [['audit', 'verify', '--offline']],
    [['recover-owner', '--login', 'maria']],
  ])('is said by faxdesk %j, which makes none', async (words) => {
    const given = words.map((word) => (word === 'b.zip' ? join(cli.folder, word) : word));
    const { code, out, err } = await cli.run([...given, '--data', typo()]);
    expect([code, out, err]).toEqual([5, '', `There is no folder ${typo()}. Use --data to give another.\n`]);
    expect([existsSync(typo()), existsSync(join(cli.folder, 'b.zip'))]).toEqual([false, false]);
  });

  test('or has no installation is refused by a backup, which leaves nothing there', async () => {
    const empty = join(cli.folder, 'empty');
    await mkdir(empty);
    const { code, err } = await cli.run(['backup', join(cli.folder, 'b.zip'), '--data', empty]);
    expect([code, err]).toEqual([
      5,
      `There is no installation in ${empty}. Use --data to give another folder.\n`,
    ]);
    expect(await readdir(empty)).toEqual([]);
  });
});

test('a backup to a folder that is not there is refused in one sentence', async () => {
  const { code, err } = await cli.run(['backup', join(cli.folder, 'nowhere', 'b.zip')]);
  expect([code, err]).toEqual([
    5,
    `There is no folder ${join(cli.folder, 'nowhere')}. Nothing was written.\n`,
  ]);
});

test('a data folder of PostgreSQL without DATABASE_URL is distinguished from one without an installation', async () => {
  const folder = join(cli.folder, 'postgres');
  await cp(join(cli.folder, 'files'), join(folder, 'files'), { recursive: true });
  const mark = (await readdir(join(folder, 'files'))).find((name) => name === MARK_FILE) ?? '';
  const text = await readFile(join(folder, 'files', mark), 'utf8');
  await writeFile(join(folder, 'files', mark), text.replace('sqlite', 'postgres'));
  const sentence = `The installation in ${folder} stores its records in PostgreSQL. Set DATABASE_URL to the same value as its gateway.`;
  const audit = await cli.run(['audit', 'verify', '--offline', '--data', folder]);
  expect([audit.code, audit.err]).toEqual([5, `${sentence}\n`]);
  const { out } = await cli.run(['diagnose', '--json', '--data', folder]);
  expect(JSON.parse(out)).toMatchObject({ store: { problem: sentence } });
  await rm(folder, { recursive: true });
});

test('a file of another account is named in a sentence', () => {
  const error = Object.assign(new Error('EACCES: permission denied, open'), {
    code: 'EACCES',
    path: '/srv/x/.env',
  });
  expect(outcomeOf(error).message).toBe(
    'This account has no permission to use /srv/x/.env. It may belong to another account, for example after a restore as root. Give it to the account that runs Faxdesk, or use that account.',
  );
});
