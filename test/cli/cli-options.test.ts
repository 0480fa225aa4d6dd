import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
    [['settings', 'validate', 'nobody'], '<provider> does not take that value.'],
    [
      ['settings', 'set', 'MAX_FILE_SIZE_MB=huge'],
      'MAX_FILE_SIZE_MB does not take that value: it is a whole number from 1 to 1000. The largest document that is accepted, in megabytes.',
    ],
    [
      ['settings', 'set', 'FAX_BACKEND=pigeon'],
      expect.stringMatching(
        /^FAX_BACKEND does not take that value: it is one of cloudone, cloudtwo, sip\. /u,
      ),
    ],
  ])('of faxdesk %j is named as it was typed', async (words, sentence) => {
    const { code, out, err } = await cli.run(words);
    expect([code === 0, out, err.trimEnd()]).toEqual([false, '', sentence]);
  });

  test('of an entry of a list is named by its option', async () => {
    const { code, err } = await cli.run(['keys', 'create', '--scope', 'fax:fly']);
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
