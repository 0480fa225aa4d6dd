import { beforeEach, expect, test } from 'vitest';
import { createLightWatch } from '../../server/features/console/light-watch.ts';

let state: unknown;
let isHeard: boolean;
let notices: number;
let errors: unknown[];
beforeEach(() => {
  state = 'late';
  isHeard = true;
  notices = 0;
  errors = [];
});

const watchOf = (read: () => Promise<unknown> = async () => state) =>
  createLightWatch({
    read,
    hasListeners: () => isHeard,
    notify: () => {
      notices += 1;
    },
    onError: (error) => errors.push(error),
  });

test('notifies of a change after a console read the state, though no check came before', async () => {
  const watch = watchOf();
  await watch.check();
  state = 'ok';
  await watch.tick();
  expect(notices).toBe(1);
  await watch.tick();
  expect(notices).toBe(1);
});

test('notifies of a state that came and went between two checks, once a console read it', async () => {
  const watch = watchOf();
  await watch.tick();
  state = 'ok';
  // A console reads now.
  await watch.check();
  state = 'late';
  await watch.tick();
  expect(notices).toBe(2);
});

test('checks nothing at intervals while nobody listens', async () => {
  let reads = 0;
  const watch = watchOf(async () => {
    reads += 1;
  });
  isHeard = false;
  await watch.tick();
  expect(reads).toBe(0);
});

test('begins a new check for whoever calls during one, and one for all of them', async () => {
  const answers: ((value: unknown) => void)[] = [];
  const watch = watchOf(() => new Promise((resolve) => answers.push(resolve)));
  const first = watch.check();
  await expect.poll(() => answers.length).toBe(1);
  const others = [watch.check(), watch.check()];
  answers[0]?.('late');
  await first;
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('ok');
  await Promise.all(others);
  expect(answers).toHaveLength(2);
  expect(notices).toBe(1);
});

test('notifies of a change that is found while no stream is open, for consoles that come back', async () => {
  const watch = watchOf();
  await watch.check();
  isHeard = false;
  state = 'ok';
  await watch.check();
  expect(notices).toBe(1);
});

test('goes on after a check that failed', async () => {
  let isBroken = true;
  const watch = watchOf(async () => {
    if (isBroken) throw new Error('no database');
    return state;
  });
  await watch.check();
  isBroken = false;
  await watch.check();
  state = 'ok';
  await watch.tick();
  expect([errors.length, notices]).toEqual([1, 1]);
});
