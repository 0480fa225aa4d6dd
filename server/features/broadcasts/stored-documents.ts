import type { DocumentOwner } from '../storage/port.ts';
import { hasArtifact, keptArtifacts } from './store/broadcast-store.ts';

const ORIGINAL = /-original\.pdf$/u;

/** The documents of broadcasts with recipients that have no fax yet, and the originals of changed pages beside them. */
export const BROADCAST_DOCUMENTS: DocumentOwner = {
  prefix: 'broadcast/',
  async findKept(db, artifacts) {
    const documentOf = (name: string) => name.replace(ORIGINAL, '.pdf');
    const kept = await keptArtifacts(db, [...new Set(artifacts.map(documentOf))]);
    return new Set(artifacts.filter((name) => kept.has(documentOf(name))));
  },
  hasAny: hasArtifact,
};
