import type { InboundEvidenceKind } from '../../../../shared/history-kinds.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { TracedFax } from '../../../platform/traced-fax.ts';
import { listEvidenceTimes } from '../store/evidence-store.ts';
import { findFax } from '../store/fax-store.ts';

/** Name of the time that begins with an entry of the evidence. */
const STEPS: Readonly<Partial<Record<InboundEvidenceKind, string>>> = {
  notification: 'fax.fetch',
  listed: 'fax.fetch',
  imported: 'fax.fetch',
  internal: 'fax.fetch',
  direct: 'fax.fetch',
  attempt: 'fax.fetch',
  fetch_again: 'fax.fetch',
  test: 'fax.fetch',
  document: 'fax.filed',
  not_received: 'fax.end',
};

/** Returns the way of a received fax that was filed or could not be fetched, from its evidence; null while it waits. */
export async function traceReceived(db: ReadDb, id: string): Promise<TracedFax | null> {
  const fax = await findFax(db, id);
  if (fax === undefined || fax.status === 'waiting') return null;
  const steps = (await listEvidenceTimes(db, id)).flatMap(({ kind, occurred_at }) => {
    const name = STEPS[kind];
    return name === undefined ? [] : [{ name, at: occurred_at }];
  });
  return {
    id,
    name: 'fax.receive',
    isError: fax.status === 'failed',
    attributes: {
      'fax.state': fax.status,
      'fax.transport': fax.backend,
      ...(fax.pages === null ? {} : { 'fax.pages': fax.pages }),
      ...(fax.size_bytes === null ? {} : { 'fax.bytes': fax.size_bytes }),
      'fax.test': fax.test === 1,
    },
    steps,
  };
}
