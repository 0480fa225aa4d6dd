import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readSecrets, readSecretText } from '../../server/cli/read-secrets.ts';

/** Creates a terminal at which `keys` are pressed. Records its output and each change of its echo mode. */
function terminal(...keys: string[]) {
  const modes: boolean[] = [];
  let shown = '';
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void modes.push(isRaw),
  });
  for (const key of keys) input.write(key);
  return {
    place: { input, prompts: { write: (text: string) => void (shown += text) } },
    modes,
    shown: () => shown,
  };
}

test('secrets are prompted for at a terminal one by one, and nothing of them is shown', async () => {
  // The second comes with the first in one piece, as when both are pasted; a slip is taken back.
  const { place, modes, shown } = terminal('har', 'x\u007Fbour\rlan', 'tern\r');
  expect(await readSecrets(['KEY', 'SECRET'], place)).toEqual(['harbour', 'lantern']);
  expect([modes[0], modes.at(-1), shown()]).toEqual([true, false, 'KEY: \nSECRET: \n']);
});

test('Ctrl C at a terminal ends the command, which shows again what is typed', async () => {
  const { place, modes, shown } = terminal('har\u0003');
  await expect(readSecrets(['KEY'], place)).rejects.toMatchObject({ exitCode: 130 });
  expect([modes, shown()]).toEqual([[true, false], 'KEY: ']);
});

test('an account is typed in lines that are not shown, until an empty one', async () => {
  const { place, shown } = terminal('A=1\r', 'B=2\r', '\r');
  expect(await readSecretText('Line', place)).toBe('A=1\nB=2\n');
  expect(shown()).toBe('Line: \nLine: \nLine: \n');
});

test('what is piped in is read without a prompt, a line for each of several', async () => {
  const piped = (text: string) => {
    const { place, shown } = terminal();
    return { place: { ...place, input: new PassThrough().end(text) }, shown };
  };
  const two = piped('harbour\n lantern \n');
  expect([await readSecrets(['KEY', 'SECRET'], two.place), two.shown()]).toEqual([
    ['harbour', 'lantern'],
    '',
  ]);
  await expect(readSecrets(['KEY', 'SECRET'], piped('harbour\n').place)).rejects.toThrow('one per line');
});
