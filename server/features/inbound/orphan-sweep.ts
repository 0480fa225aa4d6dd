import { createSweep, type OrphanSweep } from '../../platform/orphan-sweep.ts';
import type { InboundParts } from './parts.ts';
import { keptDocuments } from './store/fax-store.ts';

/** Received documents that were stored but never filed; they are fetched anew. */
export function createOrphanSweep({ db, storage, logger }: InboundParts): OrphanSweep {
  return createSweep({
    isSole: db.capabilities.soleProcess,
    names: () => storage.names('inbound/'),
    kept: (names) => keptDocuments(db.read, names),
    remove: (name) => storage.remove(name),
    logger,
  });
}
