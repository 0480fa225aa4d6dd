import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { whitePages } from '../fixtures/make-tiffs.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
afterEach(async () => await workspace.close());

const LETTER = Uint8Array.from(textPdf(1));
const SCAN = new Uint8Array(whitePages(1000));

let done: string[] = [];

/** Has a document prepared for a caller, and notes its name when it is. Whoever is stopped meanwhile is not noted. */
async function prepare(caller: string, name: string, bytes: Uint8Array): Promise<void> {
  const source = { bytes, fileName: name, declaredType: null };
  const path = join(workspace.folder, `${caller}-${name}.pdf`);
  const work = workspace.documents.for(caller);
  await work.prepare([source], path, { maxBytes: 1e8 }).then(
    () => done.push(name),
    () => undefined,
  );
}

describe('documents of several callers', () => {
  it.each([1, 2])(
    'of which one has many long ones wait for about one of them (%d threads)',
    async (threads) => {
      done = [];
      workspace = openWorkspace({ threads });
      const scans = Array.from({ length: 12 }, (_, i) => prepare('scanner', `scan ${i}.tif`, SCAN));
      await Promise.race(scans);
      await prepare('front desk', 'letter.pdf', LETTER);
      const before = done.indexOf('letter.pdf');
      // The one that was waited for, one or two for each thread, and not all.
      expect(before, done.join()).toBeLessThanOrEqual(1 + 2 * threads);
    },
  );

  it('take turns', async () => {
    done = [];
    workspace = openWorkspace({ threads: 1 });
    const first = prepare('somebody', 'first.tif', SCAN);
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const others = names.map((name) => prepare(name[0]!, name, LETTER));
    await Promise.all([first, ...others]);
    expect(done.filter((name) => name !== 'first.tif')).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });
});
