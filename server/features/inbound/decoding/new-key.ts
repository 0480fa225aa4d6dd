import { z } from 'zod';
import { Id } from '../../../../shared/api/values.ts';
import type { WriteTx } from '../../../db/database.ts';
import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import type { KeyListener } from '../../contacts/port.ts';
import type { InboundParts } from '../parts.ts';
import { listLocked } from '../store/original-store.ts';
import { decodeNow } from './decode-queue.ts';

type Parts = Pick<InboundParts, 'queue' | 'clock'>;

const Payload = z.strictObject({ contact_id: Id, number: z.string(), after: Id });
type Payload = z.infer<typeof Payload>;

const job = { kind: 'inbound.new_key', schema: Payload } as const;

/** Most faxes that are queued in one transaction. */
const KEY_BATCH = 100;

/** Queues further faxes that a new key of a contact may open. Safe to repeat: a fax is queued once. */
export function defineNewKey(parts: Parts): JobDefinition<Payload> {
  return defineJob<Payload>({
    ...job,
    concurrency: 1,
    lost: 'repeat',
    run: async ({ contact_id: contactId, number, after }) => ({
      kind: 'decide',
      async decide(tx) {
        await queueLocked(parts, tx, { contactId, number }, after);
        return DONE;
      },
    }),
  });
}

/** Looks again at the faxes that a new key of a contact may open. */
export function createKeyListener(parts: Parts): KeyListener {
  return { changed: (tx, contact) => queueLocked(parts, tx, contact, '') };
}

/** Queues the faxes after an id; the job goes on where there are more of them. */
async function queueLocked(
  parts: Parts,
  tx: WriteTx,
  { contactId, number }: { readonly contactId: string; readonly number: string },
  after: string,
): Promise<void> {
  const ids = await listLocked(tx, { contactId, number }, { after, limit: KEY_BATCH });
  for (const id of ids) await decodeNow(parts, tx, id);
  const last = ids.at(-1);
  if (last === undefined || ids.length < KEY_BATCH) return;
  // Without a key: each change of a key goes through all faxes, also while an earlier one is under way.
  await parts.queue.enqueue(tx, job, { payload: { contact_id: contactId, number, after: last } });
}
