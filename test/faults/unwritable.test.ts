import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BootError } from '../../server/config/boot.ts';
import { assertWritable } from '../../server/config/writable-folders.ts';
import { errorHandler } from '../../server/http/error-handler.ts';
import { startProblem } from '../../server/index.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { httpErrors } from '../../shared/errors/http.ts';
import { type CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { failWrites } from '../setup/failing-folder.ts';
import { startTestEmulator, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
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

/** Returns the sentence a person sees when a start fails. */
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
      const other = `Faxdesk cannot write to ${path}. Give the account that runs it permission to write there, then start it again.`;
      expect(await refusal()).toBe(process.getuid?.() === 0 ? root : other);
      // Nothing was begun: there is neither a store nor a key.
      expect(await readdir(folder)).not.toEqual(expect.arrayContaining(['faxdesk.sqlite']));
    },
  );

  test('rule (installation): a folder that cannot be written to is found before the gateway listens', async () => {
    await writeFile(join(folder, 'work'), 'a file');
    expect(await refusal()).toBe(
      `Faxdesk needs a folder at ${folder}/work, but there is a file. Move it away, then start Faxdesk again.`,
    );
    await rm(join(folder, 'work'));
    await mkdir(join(folder, 'faxdesk.sqlite'));
    expect(await refusal()).toBe(
      `Faxdesk needs a file at ${folder}/faxdesk.sqlite, but there is a folder. Move it away, then start Faxdesk again.`,
    );
  });

  test('leaves nothing of the trial behind', async () => {
    await mkdir(join(folder, 'files'));
    await assertWritable(folder);
    expect([await readdir(folder), await readdir(join(folder, 'files'))]).toEqual([['files'], []]);
  });
});

const NOT_ALLOWED = 'Faxdesk cannot write to …. Give the account that runs it permission to write there.';
const READ_ONLY = 'Faxdesk cannot write to …: that disk is read-only. Make it writable.';
const NO_ROOM =
  'The account that runs Faxdesk has used all its space on the disk of …. Free up space, or raise its quota.';

async function problemsOf(gateway: TestGateway): Promise<string[]> {
  const ready = await gateway.request('GET', '/health/ready', { key: null });
  return ((await ready.json()) as { problems: string[] }).problems;
}

/** Returns the problems that a running gateway reports, and its answer to a fax. */
async function readProblems(gateway: TestGateway): Promise<{ problems: string[]; sending: unknown[] }> {
  const problems = await problemsOf(gateway);
  const sent = await gateway.sendForm({ to: '+12025550123' }, [textFile('A letter.')]);
  const { detail } = (await sent.json()) as { detail?: string };
  return { problems, sending: [sent.status, detail] };
}

describe('A gateway that runs', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({ dataFolder: folder, emulator });
    ending.unshift(() => gateway.close());
  });

  test.skipIf(readOnlyUnavailable !== null || process.getuid?.() !== 0)(
    'says of a folder that became read-only which one it is, takes nothing, and goes on once it is writable',
    async () => {
      const files = join(folder, 'files');
      const undo = await makeReadOnly(files);
      ending.unshift(undo);
      const { problems, sending } = await readProblems(gateway);
      await undo();
      expect(problems).toContain(
        `Faxdesk cannot write to ${files}: that disk is read-only. Make it writable.`,
      );
      expect(sending).toEqual([503, httpErrors.files_read_only.sentence]);
      const after = await readProblems(gateway);
      expect([after.problems.filter((each) => each.includes(files)), after.sending[0]]).toEqual([[], 202]);
    },
  );

  test.each([
    ['EIO', 'The disk of … reports errors. Check it.', httpErrors.disk_failing],
    ['EACCES', NOT_ALLOWED, httpErrors.files_not_allowed],
    ['EPERM', NOT_ALLOWED, httpErrors.files_not_allowed],
    ['EROFS', READ_ONLY, httpErrors.files_read_only],
    ['ENOSPC', 'The disk of … is full. Free up space.', httpErrors.disk_full],
    ['EDQUOT', NO_ROOM, httpErrors.disk_full],
  ] as const)('reports %s in a separate sentence, and that it is over', async (code, sentence, answer) => {
    const files = join(folder, 'files');
    const heal = failWrites(files, code);
    const problems = await problemsOf(gateway).finally(heal);
    expect(problems).toContain(sentence.replace('…', files));
    expect((await problemsOf(gateway)).filter((each) => each.includes(files))).toEqual([]);
    expect(await answerTo(Object.assign(new Error('a file'), { code }))).toEqual([
      answer.status,
      answer.sentence,
    ]);
  });
});

/** Returns the answer to a request that met the error. */
async function answerTo(error: Error): Promise<unknown[]> {
  const app = express();
  app.get('/', () => {
    throw error;
  });
  app.use(errorHandler(createLogger({ level: 'fatal', write: () => undefined })));
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return [answer.status, ((await answer.json()) as { detail: string }).detail];
  } finally {
    server.close();
  }
}
