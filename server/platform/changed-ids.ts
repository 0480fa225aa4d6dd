import { epochOf } from './clock.ts';
import { pastId } from './ids.ts';

/** So many changed rows are read by their ids; more of them are found soon in the order of the list. */
const MAX_CHANGED = 2_000;
/** Clocks of several gateways differ. */
const CLOCK_MARGIN_MS = 3_600_000;
/** Longer than any history. */
const MAX_AGO_MS = 40 * 365 * 24 * 3_600_000;

/**
 * Returns the ids that a list of changed rows is restricted to: those that changed, of `ids` where these are given. Returns
 * `ids` as they are when too many changed; the list then has to compare times itself.
 */
export async function changedAmong(
  ids: readonly string[] | undefined,
  findChanged: (limit: number) => Promise<readonly string[]>,
): Promise<readonly string[] | undefined> {
  const changed = await findChanged(MAX_CHANGED + 1);
  if (changed.length > MAX_CHANGED) return ids;
  if (ids === undefined) return changed;
  const all = new Set(changed);
  return ids.filter((id) => all.has(id));
}

/**
 * Returns a text that sorts before the ids of history entries since a stored time, with a margin; null for a time that is
 * still to come by `now`, in epoch ms.
 */
export function historyIdBefore(since: string, now: number): string | null {
  const agoMs = now - epochOf(since) + CLOCK_MARGIN_MS;
  return agoMs <= 0 ? null : pastId(Math.min(agoMs, MAX_AGO_MS));
}
