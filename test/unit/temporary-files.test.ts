import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceDurably, temporaryNameFor, whileWriting } from '../../server/platform/durable-file.ts';
import { removeTemporaryFiles } from '../../server/platform/temporary-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-temporary-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Removes what is older than a clock says that jumped ahead by a year. */
const removeOld = () => removeTemporaryFiles(folder, { before: Date.now() + 365 * 86_400_000 });

test('a file that is being written is kept, however old a clock that jumped ahead makes it', async () => {
  const path = join(folder, 'letter.pdf');
  await replaceDurably(path, 0o600, async (file) => {
    await file.writeFile('half');
    const [name] = await readdir(folder);
    await utimes(join(folder, String(name)), 1, 1);
    expect(await removeOld()).toBe(0);
    await file.writeFile(' and half');
  });
  expect(await readFile(path, 'utf8')).toBe('half and half');
  expect(await readdir(folder)).toEqual(['letter.pdf']);
});

test('a file that another process writes for this one is kept until it has ended', async () => {
  const pages = join(folder, 'pages');
  await mkdir(pages);
  const drafts = [temporaryNameFor(join(folder, 'letter.tif')), temporaryNameFor(join(pages, '1.png'))];
  for (const draft of drafts) await writeFile(draft, 'half');
  const left = () => drafts.map((draft) => existsSync(draft));
  await whileWriting(join(folder, 'letter.tif'), () =>
    whileWriting(pages, async () => {
      expect(await removeOld()).toBe(0);
      // Another writer of the same file that ends first.
      await whileWriting(pages, async () => undefined);
      expect(await removeOld()).toBe(0);
    }),
  );
  expect(left()).toEqual([true, true]);
  expect(await removeOld()).toBe(2);
  expect(left()).toEqual([false, false]);
});

test('a file whose writer failed is removed', async () => {
  await expect(
    replaceDurably(join(folder, 'letter.pdf'), 0o600, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
  const draft = temporaryNameFor(join(folder, 'letter.pdf'));
  await writeFile(draft, 'half');
  expect(await removeOld()).toBe(1);
});
