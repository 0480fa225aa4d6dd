import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BootError } from '../../server/config/boot.ts';
import { assertWritable } from '../../server/config/writable-folders.ts';
import { startProblem } from '../../server/index.ts';
import { type CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { startTestEmulator, startTestGateway } from '../setup/gateway.ts';
import { makeReadOnly, readOnlyUnavailable } from '../setup/read-only-folder.ts';

let folder: string;
let emulator: CloudoneEmulator;
const ending: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-unwritable-'));
  emulator = await startTestEmulator();
  ending.push(
    () => emulator.close(),
    () => rm(folder, { recursive: true, force: true }),
  );
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** What a person is told about a start that does not succeed. */
async function refusal(): Promise<string | null> {
  const error: unknown = await startTestGateway({ dataFolder: folder, emulator }).catch((reason) => reason);
  expect(error).toBeInstanceOf(BootError);
  return startProblem(error);
}

describe('A start', () => {
  const unavailable = readOnlyUnavailable === null ? '' : ` (skipped: ${readOnlyUnavailable})`;
  test.skipIf(readOnlyUnavailable !== null).each(['.', 'files', 'work', 'logs'])(
    `on a data folder in which nobody may write to %s names it${unavailable}`,
    async (name) => {
      const path = join(folder, name);
      await mkdir(path, { recursive: true });
      ending.unshift(await makeReadOnly(path));
      const root = `Faxdesk cannot write to ${path}: that disk is read-only. Make it writable, then start Faxdesk again.`;
      const other = `Faxdesk may not write to ${path}. Let the account that runs it write there, then start it again.`;
      expect(await refusal()).toBe(process.getuid?.() === 0 ? root : other);
      // Nothing was begun: there is neither a store nor a key.
      expect(await readdir(folder)).not.toEqual(expect.arrayContaining(['faxdesk.sqlite']));
    },
  );

  test('says what is in the way of a folder or a file', async () => {
    await writeFile(join(folder, 'work'), 'a file');
    expect(await refusal()).toBe(
      `Faxdesk needs a folder at ${folder}/work, and a file is in the way. Move it away, then start Faxdesk again.`,
    );
    await rm(join(folder, 'work'));
    await mkdir(join(folder, 'faxdesk.sqlite'));
    expect(await refusal()).toBe(
      `Faxdesk needs a file at ${folder}/faxdesk.sqlite, and a folder is in the way. Move it away, then start Faxdesk again.`,
    );
  });

  test('leaves nothing of the trial behind', async () => {
    await mkdir(join(folder, 'files'));
    await assertWritable(folder);
    expect([await readdir(folder), await readdir(join(folder, 'files'))]).toEqual([['files'], []]);
  });
});
