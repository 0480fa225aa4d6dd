import type { DocumentOwner } from '../storage/port.ts';
import { keptCallArtifacts } from './store/call-store.ts';
import { hasArtifact, keptArtifacts, keptEncoded } from './store/job-store.ts';
import { encodedArtifact, encodedFaxOf } from './transmitted-pages.ts';

/** The stored documents of sent faxes with their encoded pages, and of calls with several. */
export const SENT_DOCUMENTS: DocumentOwner = {
  prefix: 'fax/',
  async findKept(db, artifacts) {
    const kept = await keptArtifacts(db, artifacts);
    const encoded = artifacts.flatMap((name) => encodedFaxOf(name) ?? []);
    for (const id of await keptEncoded(db, encoded)) kept.add(encodedArtifact(id));
    const others = artifacts.filter((name) => !kept.has(name));
    if (others.length > 0) for (const name of await keptCallArtifacts(db, others)) kept.add(name);
    return kept;
  },
  hasAny: hasArtifact,
};
