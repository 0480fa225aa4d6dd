import { documentBeside } from '../outbound/service.ts';
import type { DocumentOwner } from '../storage/port.ts';
import { hasArtifact, keptArtifacts } from './store/broadcast-store.ts';

/** The documents of broadcasts with recipients that have no fax yet, and the originals of changed pages beside them. */
export const BROADCAST_DOCUMENTS: DocumentOwner = {
  prefix: 'broadcast/',
  async findKept(db, artifacts) {
    const kept = await keptArtifacts(db, [...new Set(artifacts.map(documentBeside))]);
    return new Set(artifacts.filter((name) => kept.has(documentBeside(name))));
  },
  hasAny: hasArtifact,
};
