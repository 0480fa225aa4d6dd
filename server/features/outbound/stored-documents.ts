import type { DocumentOwner } from '../storage/port.ts';
import { originalArtifact, originalFaxOf } from './kept-original.ts';
import { keptCallArtifacts } from './store/call-store.ts';
import { hasArtifact, keptArtifacts, keptEncoded, keptOriginals } from './store/job-store.ts';
import { encodedArtifact, encodedFaxOf } from './transmitted-pages.ts';

/** The stored documents of sent faxes with their encoded pages and originals, and of calls with several. */
export const SENT_DOCUMENTS: DocumentOwner = {
  prefix: 'fax/',
  async findKept(db, artifacts) {
    const kept = await keptArtifacts(db, artifacts);
    const encoded = artifacts.flatMap((name) => encodedFaxOf(name) ?? []);
    for (const id of await keptEncoded(db, encoded)) kept.add(encodedArtifact(id));
    const originals = artifacts.flatMap((name) => originalFaxOf(name) ?? []);
    for (const id of await keptOriginals(db, originals)) kept.add(originalArtifact(id));
    const others = artifacts.filter((name) => !kept.has(name));
    if (others.length > 0) for (const name of await keptCallArtifacts(db, others)) kept.add(name);
    return kept;
  },
  hasAny: hasArtifact,
};
