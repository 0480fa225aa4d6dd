import { createSweep, type OrphanSweep } from '../../../platform/orphan-sweep.ts';
import type { OutboundParts } from '../parts.ts';
import { keptArtifacts } from '../store/job-store.ts';

/** Documents that were written but whose acceptance never committed. */
export function createOrphanSweep({ db, storage, logger }: OutboundParts): OrphanSweep {
  return createSweep({
    isSole: db.capabilities.soleProcess,
    names: () => storage.names('fax/'),
    kept: (names) => keptArtifacts(db.read, names),
    remove: (name) => storage.remove(name),
    logger,
  });
}
