import type { Actor } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { type ChangeParts, change } from '../changes.ts';
import { alreadyReceived, noSuchInbound } from '../errors.ts';
import { fetchNow, restartChanges } from '../fetch-queue.ts';
import type { InboundParts } from '../parts.ts';
import { findFax } from '../store/fax-store.ts';
import type { FaxRow } from '../types.ts';

/**
 * Fetches the document now at the request of a person, and restarts the backoff. Throws a 409 refusal when it was
 * received.
 */
export async function fetchAgain(
  parts: ChangeParts & Pick<InboundParts, 'queue' | 'audit'>,
  id: string,
  actor: Actor,
): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, id);
    if (!row) throw noSuchInbound();
    if (row.status === 'received') throw alreadyReceived();
    const text = `${actor.name} asked to fetch the document again.`;
    const recorded = { kind: 'fetch_again', actor: actor.name, text } as const;
    const changed = await change(parts, tx, row, restartChanges(parts), recorded);
    await parts.audit.record(tx, {
      ...recordedActor(actor),
      operation: 'inbound.fetch',
      target: { kind: 'inbound_fax', id },
      outcome: 'done',
    });
    await fetchNow(parts, tx, id);
    return changed;
  });
}
