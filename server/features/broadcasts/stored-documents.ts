import type { DocumentOwner } from '../storage/port.ts';
import { hasArtifact, keptArtifacts } from './store/broadcast-store.ts';

/** The documents of broadcasts with recipients that have no fax yet. */
export const BROADCAST_DOCUMENTS: DocumentOwner = {
  prefix: 'broadcast/',
  findKept: keptArtifacts,
  hasAny: hasArtifact,
};
