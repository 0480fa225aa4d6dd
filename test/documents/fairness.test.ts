import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFairQueue } from '../../server/documents/pool/fair-queue.ts';
import { createPooledJob, type PooledJob } from '../../server/documents/pool/pooled-job.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { whitePages } from '../fixtures/make-tiffs.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const NO_TIME = { startMs: 0, betweenPagesMs: null, perPageMs: 0, maxMs: 0 };

let workspace: Workspace | undefined;
afterEach(async () => await workspace?.close());

const LETTER = Uint8Array.from(textPdf(1));
const SCAN = new Uint8Array(whitePages(1000));

let done: string[] = [];

/**
 * Prepares a document for a caller and records its name when it is done. A document whose preparation is stopped is not
 * recorded.
 */
async function prepare(caller: string, name: string, bytes: Uint8Array): Promise<void> {
  const source = { bytes, fileName: name, declaredType: null };
  if (workspace === undefined) throw new Error('no workspace');
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
});

describe('the queue of documents', () => {
  const jobOf = (name: string): PooledJob =>
    createPooledJob('inspectPdf', { path: name }, { id: 0, caller: name[0]!, allowance: NO_TIME }) as never;
  const named = (...names: string[]) => {
    const queue = createFairQueue();
    const jobs = names.map(jobOf);
    for (const job of jobs) queue.add(job, 'last');
    const order = (atWork: Record<string, number> = {}) =>
      [...queue.listByTurn((caller) => atWork[caller] ?? 0)].map((job) => names[jobs.indexOf(job)]);
    return { queue, jobs, order };
  };

  it('rule (documents): callers take turns, the one with the fewest documents under way first', () => {
    const { order } = named('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    expect(order()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(order({ a: 2, b: 1 })).toEqual(['c1', 'b1', 'a1', 'b2', 'a2', 'a3']);
  });

  it('puts whoever was next behind the others', () => {
    const { queue, jobs, order } = named('a1', 'a2', 'b1');
    queue.dequeue([jobs[0]!]);
    expect(order()).toEqual(['b1', 'a2']);
    queue.add(jobs[0]!, 'first');
    expect(order()).toEqual(['b1', 'a1', 'a2']);
    queue.remove(jobs[2]!);
    expect(order()).toEqual(['a1', 'a2']);
  });
});
