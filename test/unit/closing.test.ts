import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClosing } from '../../server/platform/closing.ts';
import { createLogger } from '../../server/platform/logger.ts';

let lines: string[];
const logger = () => createLogger({ write: (line) => void lines.push(line) });

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('steps are taken in the opposite order, once, however often it is requested', async () => {
  const taken: string[] = [];
  const closing = createClosing(() => null);
  for (const name of ['lock', 'database', 'room']) closing.add(name, () => taken.push(name));
  await Promise.all([closing.run(), closing.run()]);
  await closing.run();
  expect(taken).toEqual(['room', 'database', 'lock']);
});

test('each step is tried whatever the one before did, and what went wrong is in the log', async () => {
  const taken: string[] = [];
  const closing = createClosing(logger);
  closing.add('lock', () => taken.push('lock'));
  closing.add('database', async () => {
    throw new Error('the server is gone');
  });
  closing.add('running file', () => {
    throw new Error('EACCES');
  });
  await closing.run();
  expect(taken).toEqual(['lock']);
  expect(lines.map((line) => (JSON.parse(line) as { step: string }).step)).toEqual([
    'running file',
    'database',
  ]);
});

test('a step that never ends is left after its time, and all of them after eight seconds', async () => {
  const taken: string[] = [];
  const closing = createClosing(logger);
  const never = new Promise(() => {});
  const began = performance.now();
  closing.add('lock', () => taken.push('lock'));
  for (let step = 0; step < 6; step += 1)
    closing.add(`step ${step}`, () => {
      taken.push(`step ${step}`);
      return never;
    });
  closing.add('requests and work', () => never, 5_500);
  // At its end: the process may have timers of other parts, which are run as well.
  const took = closing.run().then(() => performance.now() - began);
  await vi.runAllTimersAsync();
  expect(await took).toBeLessThanOrEqual(8_000);
  expect(taken).toEqual(['step 5', 'step 4', 'step 3', 'step 2', 'step 1', 'step 0', 'lock']);
});
