import type { DocumentOwner } from '../storage/port.ts';
import { keptCallArtifacts } from './store/call-store.ts';
import { hasArtifact, keptArtifacts } from './store/job-store.ts';

/** The stored documents of sent faxes, and of calls with several. */
export const SENT_DOCUMENTS: DocumentOwner = {
  prefix: 'fax/',
  async findKept(db, artifacts) {
    const kept = await keptArtifacts(db, artifacts);
    const others = artifacts.filter((name) => !kept.has(name));
    if (others.length > 0) for (const name of await keptCallArtifacts(db, others)) kept.add(name);
    return kept;
  },
  hasAny: hasArtifact,
};
