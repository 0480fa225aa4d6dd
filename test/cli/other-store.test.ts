import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeEach(async () => {
  cli = await openCommandLine();
});
afterEach(() => cli.close());

test('serve on a store without the documents ends with 6, unless an option moves them aside', async () => {
  const documents = join(cli.folder, 'files', 'fax');
  await mkdir(documents, { recursive: true });
  await writeFile(join(documents, '0.pdf'), '%PDF-1.7');
  const refused = await cli.run(['serve', '--port', '0']);
  expect(refused.code).toBe(6);
  expect(refused.out).toBe('');
  expect(refused.err).toMatch(
    /^There are documents in .* is new: it has no record of them\. Nothing was changed\..*\n$/u,
  );
  const gateway = cli.spawn(['serve', '--port', '0', '--accept-empty-store']);
  let told = '';
  gateway.stderr?.setEncoding('utf8').on('data', (text: string) => (told += text));
  await once(gateway.stdout ?? gateway, 'data');
  gateway.kill('SIGTERM');
  await once(gateway, 'close');
  const [name = ''] = await readdir(join(cli.folder, 'files', 'set-aside'));
  const folder = join(cli.folder, 'files', 'set-aside', name);
  expect(told).toContain(`Documents that the database does not list were moved to ${folder}.\n`);
  expect(told).toContain('documents that the store does not name were moved aside');
  expect(await readdir(join(folder, 'fax'))).toEqual(['0.pdf']);
  const { out } = await cli.run(['diagnose']);
  expect(out).toMatch(new RegExp(`^Documents set aside: +${folder}$`, 'mu'));
  expect(out).toMatch(/^Unclaimed documents: +none$/mu);
});
