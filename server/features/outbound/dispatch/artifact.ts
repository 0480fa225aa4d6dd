import { createHash } from 'node:crypto';
import { StorageMissingError } from '../../../adapters/storage/port.ts';
import { documentGone } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import type { JobRow } from '../types.ts';

/** The prepared PDF of a fax. Throws a 404 refusal when it is no longer kept. */
export async function openArtifact(parts: OutboundParts, job: JobRow) {
  if (job.artifact === null) throw documentGone();
  try {
    return await parts.storage.open(job.artifact);
  } catch (error) {
    if (error instanceof StorageMissingError) throw documentGone();
    throw error;
  }
}

/** Why the stored document must not be sent: missing, or not the bytes that were accepted. Null when all is well. */
export async function artifactProblem(parts: OutboundParts, job: JobRow): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    const { stream } = await parts.storage.open(job.artifact ?? '');
    for await (const chunk of stream) hash.update(chunk as Uint8Array);
  } catch (error) {
    parts.logger.error({ error, job_id: job.id }, 'the document of a fax cannot be read');
    return 'The document of this fax can no longer be read.';
  }
  if (hash.digest('hex') === job.document_sha256) return null;
  parts.logger.error({ job_id: job.id }, 'the document of a fax was changed on disk');
  return 'The stored document is not the one that was accepted.';
}
