import type { WorkItem } from './due-soon.ts';

/** A person's items at the time they were read, by id: true for those that were overdue. */
export type KnownItems = ReadonlyMap<string, boolean>;

interface MyWorkChanges {
  /** Items that were not among the person's before. */
  readonly arrived: readonly WorkItem[];
  /** IDs of items that are not among the person's any more. */
  readonly gone: readonly string[];
  /** Items that became overdue. */
  readonly overdue: readonly WorkItem[];
}

export const knownOf = (items: readonly WorkItem[]): KnownItems =>
  new Map(items.map(({ id, overdue }) => [id, overdue]));

/**
 * Compares a person's items with those of an earlier read. Where only the first of very many are read, an item that
 * moved up is none that arrived: it was assigned before `since`, ISO 8601 UTC.
 */
export function changesOf(before: KnownItems, items: readonly WorkItem[], since: string): MyWorkChanges {
  const now = knownOf(items);
  return {
    arrived: items.filter(({ id, assigned_at }) => !before.has(id) && (assigned_at ?? '') >= since),
    gone: [...before.keys()].filter((id) => !now.has(id)),
    overdue: items.filter(({ id, overdue }) => overdue && before.get(id) === false),
  };
}

/** Parses the stored form of known items; null for anything else. */
export function parseKnown(text: string | null): KnownItems | null {
  try {
    const parsed: unknown = JSON.parse(text ?? 'null');
    if (!Array.isArray(parsed)) return null;
    const pairs = parsed.filter(
      (pair): pair is [string, boolean] =>
        Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'boolean',
    );
    return new Map(pairs);
  } catch {
    return null;
  }
}
