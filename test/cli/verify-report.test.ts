import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textFile } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
});
afterAll(() => cli.close());

test('faxdesk verify-report checks a saved report without the gateway', async () => {
  const letter = join(cli.folder, 'letter.txt');
  await writeFile(letter, await textFile().text());
  const { id } = await cli.json<{ id: string }>('send', '+12025550123', letter);
  const saved = join(cli.folder, 'report.pdf');
  expect(await cli.run(['jobs', 'report', id, '--output', saved])).toMatchObject({ code: 0 });
  const { keys } = await cli.json<{ keys: { fingerprint: string }[] }>('signing', 'keys');
  const fingerprint = keys[0]?.fingerprint ?? '';
  await cli.stop();

  // Under any name.
  const path = join(cli.folder, 'another name.bin');
  await rename(saved, path);
  const verify = (...words: string[]) => cli.run(['verify-report', path, ...words]);
  const { code, out } = await verify();
  expect(code).toBe(0);
  expect(out).toContain('The report is complete and unchanged.\n');
  expect(out).toContain(`${id}\n`);
  expect(out).toContain(`Signed with:      ${fingerprint}\n`);
  expect(out).toContain('The report cannot prove whose key that is.');
  expect(await verify('--fingerprint', fingerprint.toUpperCase())).toMatchObject({ code: 0, err: '' });
  expect((await verify('--fingerprint', 'abc')).code).toBe(9);
  expect(await verify('--fingerprint', '0'.repeat(64))).toEqual({
    code: 1,
    out: '',
    err: `The report is not as it was made.\nIt was signed with another key: its fingerprint is ${fingerprint}.\n`,
  });

  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, -10));
  expect((await verify()).err).toBe(
    'The report is not as it was made.\nIt was cut off, or the line with its signature was altered.\n',
  );
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  await writeFile(path, bytes);
  expect(await verify()).toEqual({
    code: 1,
    out: '',
    err: 'The report is not as it was made.\nThe signature does not match: a part of the file was altered.\n',
  });
  const none = join(cli.folder, 'none.pdf');
  expect(await cli.run(['verify-report', none])).toMatchObject({ code: 1, err: `There is no ${none}.\n` });
}, 120_000);
