import { DELIVERY_STATES, type DeliveryState } from '../../../../shared/states/outbound.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { SentScope } from '../types.ts';
import { inScope } from './visible-numbers.ts';

/** States of faxes that arrived or still can. */
const SENT_STATES: readonly DeliveryState[] = DELIVERY_STATES.filter(
  (state) => state !== 'failed' && state !== 'cancelled',
);

/**
 * Counts the faxes in the scope (null for all) to an E.164 number that failed after the given time (ISO 8601 UTC), up to
 * the limit.
 */
export async function countFailures(
  db: ReadDb,
  scope: SentScope | null,
  { to, since, limit }: { to: string; since: string; limit: number },
): Promise<number> {
  const failed = db
    .selectFrom('fax_job')
    .select('id')
    .where('to_number', '=', to)
    .where('delivery_state', '=', 'failed')
    .where('created_at', '>', since)
    .where('test', '=', 0)
    .limit(limit);
  return (await (scope === null ? failed : failed.where(inScope(scope))).execute()).length;
}

/** A document as it would be sent again. */
export interface DocumentIdentity {
  /** Fingerprint of the uploaded files. */
  readonly sourceDigest: string;
  /** SHA-256 of the only file, which may be the stored document of an earlier fax; null where there are several. */
  readonly onlyFileDigest: string | null;
}

/**
 * Returns true when a fax with the same document was accepted for the E.164 number since the given time (ISO 8601 UTC) and
 * arrived or still can. `except` is the fax that is sent again on purpose; null for none.
 */
export async function hasSameDocument(
  db: ReadDb,
  { sourceDigest, onlyFileDigest }: DocumentIdentity,
  { to, since, isTest, except }: { to: string; since: string; isTest: boolean; except: string | null },
): Promise<boolean> {
  const found = await db
    .selectFrom('fax_job')
    .select('id')
    .where('to_number', '=', to)
    .where('delivery_state', 'in', SENT_STATES)
    .where('created_at', '>', since)
    .where('test', '=', isTest ? 1 : 0)
    .where((eb) =>
      eb.or([
        eb('source_digest', '=', sourceDigest),
        ...(onlyFileDigest === null ? [] : [eb('document_sha256', '=', onlyFileDigest)]),
      ]),
    )
    .$if(except !== null, (query) => query.where('id', '!=', except ?? ''))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
