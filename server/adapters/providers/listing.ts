import type { ReceivedReport } from '../../features/inbound/receiving-port.ts';
import { certainlyNotSent, unusableAnswer } from './failures.ts';
import type { ProviderAccount } from './provider-port.ts';

interface ListedFax {
  readonly report: ReceivedReport;
  /** ISO 8601 UTC, or null when the provider did not say. */
  readonly beganAt: string | null;
}

export interface ListPage {
  readonly faxes: readonly ListedFax[];
  readonly more: boolean;
}

const maxPages = 500;

/** The vendors list by the time a fax began; one that completed later may have begun this much earlier. */
const maxFaxMs = 3 * 3_600_000;

/** From when on faxes are listed, so that all that completed at `since` or later are among them. ISO 8601. */
export function listingStart(since: string): string {
  return new Date(Date.parse(since) - maxFaxMs).toISOString();
}

/**
 * Reads every page of a listing, oldest first, without faxes that ended before `since`. A fax that arrives between two
 * pages pushes others to the next one; those come twice and are returned once. `readPage` counts from 1.
 */
export async function readListing(
  account: ProviderAccount,
  since: string,
  readPage: (page: number) => Promise<ListPage>,
): Promise<ReceivedReport[]> {
  const found = new Map<string, ListedFax>();
  for (let page = 1; page <= maxPages; page += 1) {
    const { faxes, more } = await readPage(page);
    for (const fax of faxes) found.set(fax.report.providerId, fax);
    if (!more || faxes.length === 0) return oldestFirst([...found.values()], since);
  }
  throw unusableAnswer(account, 'an endless listing', certainlyNotSent);
}

function oldestFirst(faxes: readonly ListedFax[], since: string): ReceivedReport[] {
  return faxes
    .filter((fax) => fax.report.state === 'receiving' || lastTimeOf(fax) >= Date.parse(since))
    .sort((a, b) => Date.parse(a.beganAt ?? '') - Date.parse(b.beganAt ?? '') || 0)
    .map((fax) => fax.report);
}

/** A fax without any time is never too old. */
function lastTimeOf({ report, beganAt }: ListedFax): number {
  const times = [beganAt, report.completedAt].flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...times);
}

/** The entries that can be read. One that cannot does not hold up the others; a list of nothing readable is no list. */
export function readableEntries<T>(
  account: ProviderAccount,
  entries: unknown,
  read: (entry: unknown) => T | null,
): T[] {
  if (!Array.isArray(entries)) throw unusableAnswer(account, 'not a list', certainlyNotSent);
  const readable = entries.flatMap((entry) => read(entry) ?? []);
  if (readable.length === 0 && entries.length > 0)
    throw unusableAnswer(account, 'a list of something else', certainlyNotSent);
  return readable;
}
