import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { PreparedDocument } from '../../server/documents/documents.ts';
import { manyStrokes, missingPage, textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Small uploads that wait for a thread are handed to it together; each must still stand for itself. */
let workspace: Workspace;
afterEach(async () => await workspace.close());

const letter = (pages: number) => Uint8Array.from(textPdf(pages));
const outcomes: string[] = [];

/** Hands in the bytes as an upload does, and notes how it went when it went. */
async function prepare(name: string, bytes: Uint8Array, folder = ''): Promise<PreparedDocument | null> {
  const path = join(workspace.folder, folder, `${name}.pdf`);
  const source = { bytes, fileName: `${name}.pdf`, declaredType: null };
  try {
    const prepared = await workspace.documents.prepare([source], path, { maxBytes: 1e7, durable: true });
    outcomes.push(`${name}: ${prepared.pages}`);
    return prepared;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    outcomes.push(`${name}: ${code}`);
    return null;
  }
}

/** All at once behind one that keeps the thread busy, so that they wait. */
async function prepareAll(...documents: readonly Parameters<typeof prepare>[]): Promise<string[]> {
  outcomes.length = 0;
  await Promise.all([prepare('first', letter(1)), ...documents.map((one) => prepare(...one))]);
  return [...outcomes];
}

describe('documents that are handed over together', () => {
  it('are each prepared, with bytes and digest of their own', async () => {
    workspace = openWorkspace({ threads: 1 });
    const sizes = [2, 3, 4, 5, 6, 7];
    const prepared = await Promise.all(sizes.map((pages) => prepare(`of ${pages}`, letter(pages))));
    for (const [index, document] of prepared.entries()) {
      const bytes = readFileSync(document!.path);
      expect(document!.pages).toBe(sizes[index]);
      expect(bytes.equals(letter(sizes[index]!))).toBe(true);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(document!.sha256);
    }
  });

  it('are not harmed by one that is refused or cannot be written', async () => {
    workspace = openWorkspace({ threads: 1 });
    const all = await prepareAll(
      ['two', letter(2)],
      ['damaged', Uint8Array.from(missingPage())],
      ['nowhere', letter(3), 'no such folder'],
      ['four', letter(4)],
    );
    expect(all.toSorted()).toEqual(['damaged: invalid', 'first: 1', 'four: 4', 'nowhere: ENOENT', 'two: 2']);
  });

  it('rule (documents): documents whose thread was ended by one of them are tried again', async () => {
    workspace = openWorkspace({ threads: 1, jobTimeoutMs: 500 });
    const all = await prepareAll(
      ['two', letter(2)],
      ['hostile', Uint8Array.from(await manyStrokes())],
      ['three', letter(3)],
      ['four', letter(4)],
    );
    expect(all.toSorted()).toEqual(['first: 1', 'four: 4', 'hostile: too_large', 'three: 3', 'two: 2']);
  });

  it('rule (documents): small documents go to a thread together, and a slow one delays no other', async () => {
    workspace = openWorkspace({ threads: 2, jobTimeoutMs: 5000 });
    const hostile = Uint8Array.from(await manyStrokes());
    const all = await prepareAll(
      ['second', letter(1)],
      ['two', letter(2)],
      ['hostile', hostile],
      ['three', letter(3)],
    );
    expect(all.at(-1)).toBe('hostile: too_large');
    expect(all.toSorted()).toEqual(['first: 1', 'hostile: too_large', 'second: 1', 'three: 3', 'two: 2']);
  });
});

test('work that still waits when the gateway stops is refused', async () => {
  workspace = openWorkspace({ threads: 1 });
  outcomes.length = 0;
  const all = ['a', 'b', 'c'].map((name) => prepare(name, letter(1)));
  await workspace.documents.close();
  await Promise.all(all);
  await prepare('late', letter(1));
  expect(outcomes).toHaveLength(4);
  expect(outcomes.filter((outcome) => outcome !== 'a: 1')).toEqual(
    expect.arrayContaining(['b: ', 'c: ', 'late: ']),
  );
});

describe('a document that was seen before', () => {
  it('is prepared as at the first time, into a file of its own', async () => {
    workspace = openWorkspace();
    const [first, second] = [await prepare('one', letter(2)), await prepare('another', letter(2))];
    expect(second).toEqual({ ...first, path: join(workspace.folder, 'another.pdf') });
    expect(readFileSync(second!.path).equals(letter(2))).toBe(true);
  });

  it('is refused as at the first time', async () => {
    workspace = openWorkspace();
    outcomes.length = 0;
    for (const name of ['one', 'another']) await prepare(name, Uint8Array.from(missingPage()));
    expect(outcomes).toEqual(['one: invalid', 'another: invalid']);
  });
});
