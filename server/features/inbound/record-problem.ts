import { change, SYSTEM } from './changes.ts';
import type { InboundParts } from './parts.ts';
import { findFax } from './store/fax-store.ts';

/** Records the reason why a fax still waits. When the store cannot record it either, the log does. */
export async function recordProblem(parts: InboundParts, faxId: string, sentence: string): Promise<void> {
  try {
    await parts.db.transaction(async (tx) => {
      const row = await findFax(tx, faxId);
      if (row?.status !== 'waiting' || row.problem === sentence) return;
      const recorded = { kind: 'attempt', actor: SYSTEM, text: sentence } as const;
      await change(parts, tx, row, { problem: sentence }, recorded);
    });
  } catch (error) {
    parts.logger.error({ error, fax_id: faxId }, 'what keeps a fax waiting could not be recorded');
  }
}
