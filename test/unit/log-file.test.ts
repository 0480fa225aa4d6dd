import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from '../../server/platform/log-file.ts';
import { createLogger } from '../../server/platform/logger.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const text = async (name = 'gateway.log') => readFile(join(folder, 'logs', name), 'utf8');

test('lines are in the file in their order once it is closed', async () => {
  const file = openLogFile(join(folder, 'logs'));
  const expected = Array.from({ length: 5_000 }, (_, index) => `${index}\n`);
  for (const line of expected) file.write(line);
  await file.close();
  expect(await text()).toBe(expected.join(''));
});

test('a later start goes on with the same file', async () => {
  for (const line of ['one\n', 'two\n']) {
    const file = openLogFile(join(folder, 'logs'));
    file.write(line);
    await file.close();
  }
  expect(await text()).toBe('one\ntwo\n');
});

test('a full file moves on, five are kept, and all are readable by their owner only', async () => {
  const file = openLogFile(join(folder, 'logs'), { maxBytes: 100 });
  for (let index = 0; index < 40; index += 1) {
    file.write(`${String(index).padStart(49, '0')}\n`);
    await expect.poll(() => text().catch(() => '')).toContain(String(index).padStart(49, '0'));
  }
  await file.close();
  const names = (await readdir(join(folder, 'logs'))).sort();
  expect(names).toEqual(['gateway.1.log', 'gateway.2.log', 'gateway.3.log', 'gateway.4.log', 'gateway.log']);
  for (const name of names) {
    const { size, mode } = await stat(join(folder, 'logs', name));
    expect([name, size, mode & 0o777]).toEqual([name, 100, 0o600]);
  }
  expect((await text('gateway.4.log')).startsWith(`${'30'.padStart(49, '0')}\n`)).toBe(true);
});

test('a folder that cannot be written is reported once, and nothing waits or fails', async () => {
  await writeFile(join(folder, 'logs'), 'in the way');
  const reported: string[] = [];
  const file = openLogFile(join(folder, 'logs'), { onFailure: (sentence) => reported.push(sentence) });
  file.write('lost\n');
  await expect.poll(() => reported).toHaveLength(1);
  file.write('lost\n');
  await file.close();
  expect(reported).toEqual([
    `The log in ${join(folder, 'logs')} cannot be written (ENOTDIR); the gateway goes on without it.`,
  ]);
  await rm(join(folder, 'logs'));
  file.write('kept\n');
  await file.close();
  expect(await text()).toBe('kept\n');
});

test('what a disk cannot take in time is dropped and counted', async () => {
  const file = openLogFile(join(folder, 'logs'));
  const line = `${'x'.repeat(1023)}\n`;
  for (let index = 0; index < 6_000; index += 1) file.write(line);
  await file.close();
  const written = await text();
  const lost = /(\d+) lines of the log were lost/u.exec(written)?.[1];
  expect(written.split('\n').filter((each) => each.startsWith('xxx')).length + Number(lost)).toBe(6_000);
  expect(written.length).toBeLessThan(4.2 * 1024 * 1024);
});

test('a logger writes every line to both outputs', () => {
  const outputs: string[][] = [[], []];
  const logger = createLogger({
    write: (line) => outputs[0]?.push(line),
    copy: (line) => outputs[1]?.push(line),
  });
  logger.room('test').info({ count: 1 }, 'something happened');
  expect(outputs[0]).toHaveLength(1);
  expect(outputs[1]).toEqual(outputs[0]);
});
