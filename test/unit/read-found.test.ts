import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateOf } from '../../server/platform/watched-folder/found-files.ts';
import { copyFound, readFound } from '../../server/platform/watched-folder/read-found.ts';

test('a file of a watched folder is read no further than it was found, whoever goes on writing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-found-'));
  try {
    const path = join(folder, 'letter.json');
    await writeFile(path, '{"to": "1"} and more');
    const found = { name: 'letter.json', path, sizeBytes: 11, state: stateOf(await lstat(path)) };
    expect(await copyFound(found, join(folder, 'copy'))).toBe(true);
    expect(await readFile(join(folder, 'copy'), 'utf8')).toBe('{"to": "1"}');
    expect(await readFound(found)).toEqual({ text: '{"to": "1"}' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
