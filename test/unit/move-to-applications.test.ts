import { expect, it } from 'vitest';
import { type MovePort, offerMove } from '../../main/move-to-applications.ts';

const DOWNLOADED = {
  platform: 'darwin',
  program: '/private/var/folders/ab/T/AppTranslocation/4F-1/d/Faxdesk.app/Contents/MacOS/Faxdesk',
  downloads: '/Users/ann/Downloads',
  isInApplications: false,
};

/** Plays macOS; `answers` are the buttons that the person chooses, in turn. */
function played(answers: readonly number[], changes: Partial<MovePort> = {}) {
  const asked: string[] = [];
  const notes: string[] = [];
  const left = [...answers];
  const ask = ({ message }: { message: string }) => {
    asked.push(message);
    return left.shift() ?? 0;
  };
  const port: MovePort = {
    place: DOWNLOADED,
    ask: async (question) => ask(question),
    askAtOnce: ask,
    move: () => true,
    note: (line) => notes.push(line),
    ...changes,
  };
  return { port, asked, notes };
}

const OFFER = 'Move Faxdesk to Applications?';

it('an application that was opened where it was downloaded is moved when the person wants it', async () => {
  const { port, asked } = played([0]);
  expect(await offerMove(port)).toBe(true);
  expect(asked).toEqual([OFFER]);
});

it('it starts where it is when the person does not want it, or refuses it to the system', async () => {
  let moves = 0;
  const move = () => {
    moves += 1;
    return false;
  };
  expect(await offerMove(played([1], { move }).port)).toBe(false);
  expect(moves).toBe(0);
  expect(await offerMove(played([0], { move }).port)).toBe(false);
  expect(moves).toBe(1);
});

it.each([0, 1])(
  'another one in the folder of applications is replaced only by the person’s choice (%i)',
  async (choice) => {
    const { port, asked } = played([0, choice], { move: ({ mayReplace }) => mayReplace() });
    expect(await offerMove(port)).toBe(choice === 0);
    expect(asked).toEqual([OFFER, 'Applications has a Faxdesk already.']);
  },
);

it('a move that fails is explained, and the application starts where it is', async () => {
  const move = () => {
    throw new Error('no space');
  };
  const { port, asked, notes } = played([0], { move });
  expect(await offerMove(port)).toBe(false);
  expect(asked).toEqual([OFFER, 'Faxdesk could not be moved.']);
  expect(notes).toEqual(['the application was not moved: Error: no space']);
});

it.each([
  { ...DOWNLOADED, isInApplications: true },
  { ...DOWNLOADED, program: '/Applications/Faxdesk.app/Contents/MacOS/Faxdesk' },
  { ...DOWNLOADED, platform: 'win32' },
])('nothing is offered in its place, nor on another system', async (place) => {
  const { port, asked } = played([0], { place });
  expect(await offerMove(port)).toBe(false);
  expect(asked).toEqual([]);
});
