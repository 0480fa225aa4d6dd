import type { WriteTx } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';
import { randomToken } from '../../../platform/ids.ts';
import { FaxRefusalError, noSuchFax } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { insertLink, listLinks, removeLinks } from '../store/link-store.ts';
import type { Fax } from '../transition/fact.ts';
import type { PlannedStep } from '../types.ts';

const TOKEN_BITS = 256;

/**
 * The link by which the transport fetches the document: 256 random bits, stored hashed. Null without a public address.
 * It is made for the submission that is about to begin; a link of one that took nothing is good for nothing any more.
 */
export async function mintLink(
  parts: Pick<OutboundParts, 'clock'>,
  tx: WriteTx,
  { job, attempt }: Fax,
  { documentBase, linkMinutes }: PlannedStep,
): Promise<string | null> {
  if (attempt !== null && (attempt.number > 1 || attempt.waiting_since !== null))
    await removeLinks(tx, job.id);
  if (documentBase === null) return null;
  const token = randomToken(TOKEN_BITS);
  await insertLink(tx, {
    token_hash: sha256Hex(token),
    job_id: job.id,
    expires_at: isoTime(parts.clock.now() + linkMinutes * 60_000),
  });
  return `${documentBase}/${job.id}/pdf?token=${token}`;
}

/** Passes when the token is one of the fax's links and unexpired: 404 when none was ever made, else 403. */
export async function checkLink(
  parts: Pick<OutboundParts, 'db' | 'clock'>,
  jobId: string,
  token: string,
): Promise<void> {
  const links = await listLinks(parts.db.read, jobId);
  if (links.length === 0) throw noSuchFax();
  const hash = sha256Hex(token);
  const link = links.find((row) => equalInConstantTime(row.token_hash, hash));
  if (!link || epochOf(link.expires_at) <= parts.clock.now()) throw new FaxRefusalError('link_invalid');
}
