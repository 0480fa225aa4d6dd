import { expect, test } from 'vitest';
import { AHEAD, createNamesAhead } from '../../server/adapters/storage/names-ahead.ts';

const STEP = 20;
const nameOf = (n: number) => `fax/${String(n).padStart(6, '0')}.pdf`;

/** A folder that yields its names in no order and counts how often it is read. */
function folderOf(names: Set<string>) {
  const folder = {
    reads: 0,
    async *read() {
      folder.reads += 1;
      yield* [...names].reverse();
    },
  };
  return folder;
}

/** Moves everything in steps as the storage does, and returns the names in the order of the move. */
async function moveAll(names: Set<string>, read: () => AsyncIterable<string>): Promise<string[]> {
  const ahead = createNamesAhead();
  const moved: string[] = [];
  for (let after = ''; ; ) {
    const found = await ahead.next('folder', { after, count: STEP }, read);
    for (const name of found.slice(0, STEP)) {
      names.delete(name);
      moved.push(name);
    }
    if (found.length <= STEP) return moved;
    after = found[STEP - 1] ?? '';
  }
}

test('rule (storage): a move reads a full folder once for thousands of documents, not for every step', async () => {
  const count = 2 * AHEAD + 7;
  const names = new Set(Array.from({ length: count }, (_, n) => nameOf(n)));
  const folder = folderOf(names);
  expect(await moveAll(names, folder.read)).toEqual(Array.from({ length: count }, (_, n) => nameOf(n)));
  // Each time so many were moved, and for what is left.
  expect(folder.reads).toBeLessThanOrEqual(5);
});

test('the last step finds what came since the folder was read', async () => {
  const names = new Set(Array.from({ length: 50 }, (_, n) => nameOf(n)));
  const ahead = createNamesAhead();
  const { read } = folderOf(names);
  const step = (after: string) => ahead.next('folder', { after, count: STEP }, read);
  await step('');
  names.add(nameOf(60));
  await step(nameOf(19));
  expect(await step(nameOf(39))).toEqual([
    ...Array.from({ length: 10 }, (_, n) => nameOf(40 + n)),
    nameOf(60),
  ]);
});

test('a run that begins anew, and one of another place, read what is there now', async () => {
  const names = new Set(Array.from({ length: 100 }, (_, n) => nameOf(n)));
  const ahead = createNamesAhead();
  const { read } = folderOf(names);
  await ahead.next('folder', { after: '', count: STEP }, read);
  names.delete(nameOf(0));
  expect((await ahead.next('folder', { after: '', count: STEP }, read))[0]).toBe(nameOf(1));
  const bucket = folderOf(new Set([nameOf(90)]));
  expect(await ahead.next('bucket', { after: nameOf(20), count: STEP }, bucket.read)).toEqual([nameOf(90)]);
});
