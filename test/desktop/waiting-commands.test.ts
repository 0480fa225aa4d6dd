import { expect, it } from 'vitest';
import { createWaitingCommands, type WaitingCommands } from '../../main/waiting-commands.ts';

/** With a clock of its own, in ms. */
function commands(): { waiting: WaitingCommands; pass: (ms: number) => void } {
  let now = 0;
  const pass = (ms: number) => {
    now += ms;
  };
  return { waiting: createWaitingCommands(() => now), pass };
}

it('a command that opens a screen waits for a page that is signed in', () => {
  const { waiting, pass } = commands();
  waiting.add('new-fax');
  waiting.add({ open: '/sent/0198' });
  pass(3_600_000);
  expect(waiting.take()).toEqual(['new-fax', { open: '/sent/0198' }]);
  expect(waiting.take()).toEqual([]);
});

it('a notice of the person before leads nowhere once another person is signed in', () => {
  const { waiting } = commands();
  waiting.add('new-fax');
  waiting.add({ open: '/inbox/0198' }, true);
  waiting.dropPersonal();
  expect(waiting.take()).toEqual(['new-fax']);
});

it('locking and switching sending are taken at once or never', () => {
  const { waiting, pass } = commands();
  waiting.add('lock');
  waiting.add('toggle-sending');
  expect(waiting.take()).toEqual(['lock', 'toggle-sending']);
  waiting.add('lock');
  waiting.add('open-sent');
  waiting.add('toggle-sending');
  pass(10_000);
  expect(waiting.take()).toEqual(['open-sent']);
});
