import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

/** More than two steps of the command. */
const COUNT = 45;
const MARK = 'office/installation.json';

let cli: CommandLine;
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
  cli = await openCommandLine();
  const { STORAGE_BACKEND: _bucket, ...bucket } = s3.settings();
  const settings = { ...sendingSettings(cli.emulator), FAX_DISABLED: 'true' };
  await cli.serve({ ...settings, ...bucket, STORAGE_BACKEND: 'local' });
  const letter = join(cli.folder, 'letter.txt');
  await writeFile(letter, 'Dear colleague\n');
  for (let n = 0; n < COUNT; n += 1) expect((await cli.run(['send', '+12025550123', letter])).code).toBe(0);
});
afterAll(async () => {
  await cli.close();
  await s3.close();
});

const objects = () => s3.keys().filter((key) => key !== MARK);
const run = (...words: string[]) => cli.run(['storage', ...words]);

test('moves every document into the bucket, and goes on after it was killed between two steps', async () => {
  expect((await run('show')).out).toMatch(/New documents: the data folder/u);
  expect((await cli.run(['settings', 'change', 'STORAGE_BACKEND=s3'])).code).toBe(0);

  const child = cli.spawn(['storage', 'move']);
  await expect.poll(() => objects().length, { interval: 2, timeout: 60_000 }).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await once(child, 'close');
  // The gateway completes the step of 20 that it was given, and begins no other.
  await expect.poll(() => objects().length % 20, { timeout: 30_000 }).toBe(0);
  const moved = objects().length;

  const again = await run('move', '--json');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({ to: 's3', done: COUNT - moved, failed: [] });
  expect(objects()).toHaveLength(COUNT);
  expect((await run('move')).out).toBe('0 documents moved to the bucket.\n');
});

test('checks the documents in the bucket, and names one that is damaged with the exit code 1', async () => {
  const whole = await run('check');
  expect([whole.code, whole.out]).toEqual([0, `${COUNT} documents in the bucket are as stored.\n`]);

  const [damaged = ''] = objects();
  const name = damaged.replace('office/', '');
  const before = s3.object(damaged);
  s3.damage(damaged);
  const { code, err } = await run('check');
  expect(code).toBe(EXIT.failed);
  expect(err).toContain(`${name}: `);
  expect(err).toContain('1 document failed.');

  s3.put(damaged, before);
});

test('leaves a damaged document in the bucket when all move back, and names it', async () => {
  const [damaged = ''] = objects();
  s3.damage(damaged);
  expect((await cli.run(['settings', 'change', 'STORAGE_BACKEND=local'])).code).toBe(0);
  const { code, out, err } = await run('move');
  expect([code, out]).toEqual([EXIT.failed, `${COUNT - 1} documents moved to the data folder.\n`]);
  expect(err).toContain(`${damaged.replace('office/', '')}: `);
  expect(objects()).toEqual([damaged]);
});
