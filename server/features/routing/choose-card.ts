import type { ReadDb } from '../../db/database.ts';
import { validVersions } from './store/card-store.ts';
import type { VersionRow } from './types.ts';

/** The version of a rate card that prices a fax, and the prefix by which it was found. */
export interface ChosenCard {
  readonly version: VersionRow;
  /** Prefix that matched the number; empty for a card of all numbers. */
  readonly prefix: string;
}

/**
 * Returns the card of a backend for a number (E.164) at a time (ISO 8601 UTC): among the versions in force then, the one
 * with the longest prefix. A card of the fax's delivery route takes precedence over cards of all routes. Null when no card
 * has the number.
 */
export async function cardFor(
  db: ReadDb,
  { to, routeId, ...wanted }: { backend: string; routeId: string | null; to: string; at: string },
): Promise<ChosenCard | null> {
  const ofRoute = routeId === null ? [] : await validVersions(db, { ...wanted, routeId });
  return (
    chooseCard(currentVersions(ofRoute), to) ??
    chooseCard(currentVersions(await validVersions(db, { ...wanted, routeId: null })), to)
  );
}

/** Returns the newest version of each card among these. */
export function currentVersions(versions: readonly VersionRow[]): VersionRow[] {
  const newest = new Map<string, VersionRow>();
  for (const version of versions) {
    const other = newest.get(version.card_id);
    if (!other || isNewer(version, other)) newest.set(version.card_id, version);
  }
  return [...newest.values()];
}

function chooseCard(versions: readonly VersionRow[], to: string): ChosenCard | null {
  let best: ChosenCard | null = null;
  for (const version of versions) {
    const prefix = prefixFor(JSON.parse(version.prefixes) as string[], to);
    if (prefix === null) continue;
    const isBetter =
      best === null ||
      prefix.length > best.prefix.length ||
      // Two cards have one prefix only while new versions of both are still to come into force.
      (prefix.length === best.prefix.length && isNewer(version, best.version));
    if (isBetter) best = { version, prefix };
  }
  return best;
}

function prefixFor(prefixes: readonly string[], to: string): string | null {
  if (prefixes.length === 0) return '';
  const fitting = prefixes.filter((prefix) => to.startsWith(prefix));
  return fitting.length === 0 ? null : fitting.reduce((a, b) => (b.length > a.length ? b : a));
}

/** Returns true when `a` takes effect later than `b`, or was entered later for the same time. */
function isNewer(a: VersionRow, b: VersionRow): boolean {
  if (a.valid_from !== b.valid_from) return a.valid_from > b.valid_from;
  if (a.card_id === b.card_id) return a.version > b.version;
  return a.created_at === b.created_at ? a.card_id > b.card_id : a.created_at > b.created_at;
}
