import type { WriteTx } from '../../../db/database.ts';
import type { OutboundParts } from '../parts.ts';
import type { TransportReport } from '../port.ts';
import { isTaken } from '../store/attempt-store.ts';
import type { Fax } from '../transition/fact.ts';
import { record } from '../transition/record.ts';
import type { Actor, AttemptRow } from '../types.ts';

/** A report names a provider fax that is not this attempt's. */
export class ProviderIdMismatchError extends Error {
  override name = 'ProviderIdMismatchError';
}

/**
 * Records what a report tells of the newest attempt. Callbacks, polling and persons who ask all end here. Returns whether
 * anything was changed. Throws ProviderIdMismatchError.
 */
export async function recordReport(
  parts: OutboundParts,
  tx: WriteTx,
  fax: Fax & { readonly attempt: AttemptRow },
  report: TransportReport,
  actor: Actor,
): Promise<boolean> {
  const { attempt } = fax;
  const { reference } = report;
  if (attempt.provider_sid !== null && attempt.provider_sid !== reference)
    throw new ProviderIdMismatchError('the report is of another provider fax');
  const taken = { account: attempt.provider_account, providerSid: reference, exceptAttempt: attempt.id };
  if (await isTaken(tx, taken))
    throw new ProviderIdMismatchError('the provider fax belongs to another attempt');
  const after = await record(parts, tx, fax, { kind: 'reported', report }, actor);
  return after !== null && after.job !== fax.job;
}
