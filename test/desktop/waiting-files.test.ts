import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWaitingFiles, type WaitingFiles } from '../../main/send-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-waiting-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function give(files: WaitingFiles, name: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, '%PDF-1.4');
  expect(await files.add([path])).toEqual([]);
}
const taken = (files: WaitingFiles) => files.take().map(({ name }) => name);

it('rule (desktop): documents of Send as fax are for the person who was signed in when they came', async () => {
  const files = createWaitingFiles();
  files.setPerson('ann');
  await give(files, 'one.pdf');
  expect(files.setPerson('ann')).toEqual({ removed: 0, unclaimed: [] });
  expect(files.count).toBe(1);
  expect(files.setPerson('ben')).toEqual({ removed: 1, unclaimed: [] });
  expect([files.count, taken(files)]).toEqual([0, []]);
  await give(files, 'two.pdf');
  expect(taken(files)).toEqual(['two.pdf']);
  expect(taken(files)).toEqual([]);
  await give(files, 'three.pdf');
  expect(files.setPerson(null)).toEqual({ removed: 1, unclaimed: [] });
});

it('rule (desktop): documents that came while no one was signed in wait until the next person takes them', async () => {
  const files = createWaitingFiles();
  files.setPerson(null);
  await give(files, 'one.pdf');
  expect([files.count, taken(files)]).toEqual([0, []]);
  expect(files.setPerson('ann')).toEqual({ removed: 0, unclaimed: ['one.pdf'] });
  expect([files.count, taken(files)]).toEqual([0, []]);
  // Ann left without an answer.
  files.setPerson('ben');
  files.claim('ann', true);
  expect(taken(files)).toEqual([]);
  files.claim('ben', true);
  expect(taken(files)).toEqual(['one.pdf']);
  files.setPerson(null);
  await give(files, 'two.pdf');
  files.setPerson('ben');
  files.claim('ben', false);
  expect(files.setPerson(null)).toEqual({ removed: 0, unclaimed: [] });
  expect(files.setPerson('ann').unclaimed).toEqual([]);
});

it('rule (desktop): documents of a start at the sign-in wait until the person who signs in takes them', async () => {
  const files = createWaitingFiles();
  await give(files, 'one.pdf');
  const path = join(folder, 'late.pdf');
  await writeFile(path, '%PDF-1.4');
  const added = files.add([path]);
  files.beginSignIn();
  await added;
  expect([files.count, taken(files)]).toEqual([0, []]);
  expect(files.setPerson('ann')).toEqual({ removed: 0, unclaimed: ['one.pdf', 'late.pdf'] });
  // The page was loaded again, and is still hers.
  files.beginSignIn();
  files.claim('ann', true);
  expect(taken(files)).toEqual(['one.pdf', 'late.pdf']);
});

it('those of the start are not for a person who came while they were read', async () => {
  const files = createWaitingFiles();
  const path = join(folder, 'late.pdf');
  await writeFile(path, '%PDF-1.4');
  const added = files.add([path]);
  files.beginSignIn();
  files.setPerson('ann');
  await added;
  expect(taken(files)).toEqual([]);
  expect(files.setPerson('ben').unclaimed).toEqual(['late.pdf']);
});

it('those of a start with a session that goes on are for its person, and for a page that reports no person', async () => {
  const files = createWaitingFiles();
  await give(files, 'one.pdf');
  expect(taken(files)).toEqual(['one.pdf']);
  await give(files, 'two.pdf');
  expect(files.setPerson('ann')).toEqual({ removed: 0, unclaimed: [] });
  expect(taken(files)).toEqual(['two.pdf']);
});

it('those that are read while the person changes are for the one before', async () => {
  const files = createWaitingFiles();
  files.setPerson('ann');
  const path = join(folder, 'late.pdf');
  await writeFile(path, '%PDF-1.4');
  const added = files.add([path]);
  files.setPerson('ben');
  await added;
  expect(taken(files)).toEqual([]);
});

it('rule (desktop): documents that are still read at a sign-in are asked about once they are read', async () => {
  const files = createWaitingFiles();
  files.setPerson(null);
  await give(files, 'one.pdf');
  const path = join(folder, 'late.pdf');
  await writeFile(path, '%PDF-1.4');
  const added = files.add([path]);
  expect(files.setPerson('ann')).toEqual({ removed: 0, unclaimed: ['one.pdf'] });
  await added;
  // The first question is still open: its answer is about the document that it names.
  expect(files.askAgain()).toEqual({ person: 'ann', names: ['late.pdf'] });
  expect(files.askAgain()).toBeNull();
  files.claim('ann', true);
  expect(taken(files)).toEqual(['one.pdf', 'late.pdf']);
});

it('an answer decides only about the documents that were asked about', async () => {
  const files = createWaitingFiles();
  files.setPerson(null);
  await give(files, 'one.pdf');
  const path = join(folder, 'late.pdf');
  await writeFile(path, '%PDF-1.4');
  const added = files.add([path]);
  files.setPerson('ann');
  await added;
  files.claim('ann', false);
  expect([files.count, taken(files)]).toEqual([0, []]);
  expect(files.askAgain()).toEqual({ person: 'ann', names: ['late.pdf'] });
  files.claim('ann', true);
  expect(taken(files)).toEqual(['late.pdf']);
  files.setPerson(null);
  expect(files.askAgain()).toBeNull();
});
