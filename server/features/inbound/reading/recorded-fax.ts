import type { ReadDb } from '../../../db/database.ts';
import { SealError } from '../../../platform/errors.ts';
import { holdsOn } from '../../holds/service.ts';
import { heldFactsOf } from '../legal-hold.ts';
import type { InboundParts } from '../parts.ts';
import { listEvidence } from '../store/evidence-store.ts';
import { findFax } from '../store/fax-store.ts';
import type { RecordedFax } from '../types.ts';

/** Returns a received fax with all its reports. Works inside a transaction. */
export async function recordedFax(
  { seal, holds }: Pick<InboundParts, 'seal' | 'holds'>,
  db: ReadDb,
  id: string,
): Promise<RecordedFax | undefined> {
  const fax = await findFax(db, id);
  if (!fax) return undefined;
  const evidence = await listEvidence(db, seal, id).catch((error: unknown) => {
    if (error instanceof SealError) return null;
    throw error;
  });
  return { fax, evidence, legalHolds: holdsOn(await holds.open(db), heldFactsOf(fax)) };
}
