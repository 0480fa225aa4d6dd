import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { Id } from '../../../../shared/api/values.ts';
import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import type { ArchivesParts } from '../parts.ts';
import { findRemoval } from '../store.ts';
import { removeBatch } from './remove-batch.ts';

const job = { kind: 'archives.remove', schema: z.strictObject({ removal_id: Id }) } as const;
type Payload = z.infer<typeof job.schema>;

export { job as removalJob };

/** Returns the job of a removal; only one is queued at a time. */
export const removalJobOf = (id: string) => ({ payload: { removal_id: id }, key: `archives.remove:${id}` });

/**
 * Removes the faxes of a removal in small batches, so that others get their turn. Safe to run twice and to be killed: what left, and
 * that it left, is one transaction. A document whose row is gone is swept at the next start.
 */
export function defineRemoval(parts: ArchivesParts): JobDefinition<Payload> {
  return defineJob({
    ...job,
    concurrency: 1,
    lost: 'repeat',
    async run({ removal_id: id }, { signal }) {
      while (!signal.aborted) {
        const began = performance.now();
        const { documents, isOver } = await parts.db.transaction((tx) => removeBatch(parts, tx, id));
        for (const name of documents) await parts.storage.remove(name);
        if (isOver) break;
        // Half of the time is for others, and for the database to tidy up.
        await setTimeout(performance.now() - began);
      }
      return {
        kind: 'decide',
        // A stop and a new start may have come meanwhile.
        decide: async (tx) =>
          (await findRemoval(tx, id))?.state === 'running'
            ? { kind: 'retry', at: parts.clock.now(), reason: 'faxes are left' }
            : DONE,
      };
    },
  });
}
