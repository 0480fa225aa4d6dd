import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { useMyWork } from '../api/my-work.ts';
import { sessionMayHaveEnded } from '../api/queries.ts';
import type { WorkItem } from './due-soon.ts';
import { changesOf, type KnownItems, knownOf, parseKnown } from './my-work-changes.ts';

/** Something about a person's work that they have not looked at yet. */
export interface WorkNews {
  readonly kind: 'mine' | 'taken' | 'overdue';
  readonly itemId: string;
  readonly faxId: string;
  /** Name of the person, or of the gateway, that did it; null for an item that became overdue. */
  readonly by: string | null;
  /** Present owner of an item that was taken; null for nobody. */
  readonly owner: string | null;
}

/** More that happen at a time are counted beside Work only. */
const MAX_NEWS = 20;

let news: readonly WorkNews[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly WorkNews[]): void {
  news = next;
  for (const listener of listeners) listener();
}

/** Returns the news that a person has not looked at, the newest last. */
export function useWorkNews(): readonly WorkNews[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => news,
  );
}

/** Removes the news of an item: the person looked at it, or dismissed it. */
export function dismissNews(itemId: string): void {
  if (news.some((one) => one.itemId === itemId)) publish(news.filter((one) => one.itemId !== itemId));
}

/** Follows the items of a person. What happened while no window was open is news at the next sign-in. */
export function useFollowMyWork(personId: string): void {
  const items = useMyWork();
  useEffect(() => {
    publish([]);
    return () => publish([]);
  }, [personId]);
  useEffect(() => {
    if (items) void follow(personId, items);
  }, [personId, items]);
}

let followed: { personId: string; known: KnownItems; since: string } | null = null;

async function follow(personId: string, items: readonly WorkItem[]): Promise<void> {
  const before = followed?.personId === personId ? followed : storedOf(personId);
  const assigned = items.map(({ assigned_at }) => assigned_at ?? '');
  const since = assigned.reduce((newest, at) => (at > newest ? at : newest), before?.since ?? '');
  followed = { personId, known: knownOf(items), since };
  store(personId, followed.known, since);
  if (before === null) return;
  const { arrived, gone, overdue } = changesOf(before.known, items, before.since);
  const added = await Promise.all([
    ...arrived.slice(0, MAX_NEWS).map(({ id }) => newsOf(id)),
    ...gone.slice(0, MAX_NEWS).map(newsOf),
  ]);
  const late = overdue.map(
    ({ id, inbound_fax_id }): WorkNews => ({
      kind: 'overdue',
      itemId: id,
      faxId: inbound_fax_id,
      by: null,
      owner: null,
    }),
  );
  // Another person may have signed in meanwhile, or another change followed.
  if (followed?.personId !== personId) return;
  const { known } = followed;
  const fresh = [...added.flatMap((one) => one ?? []), ...late].filter((one) => stillHolds(one, known));
  const isReplaced = ({ itemId }: WorkNews) => fresh.some((one) => one.itemId === itemId);
  const kept = news.filter((one) => !isReplaced(one) && stillHolds(one, known));
  if (fresh.length > 0 || kept.length < news.length) publish([...kept, ...fresh].slice(-MAX_NEWS));
}

/** Returns false for news that a later change made untrue. */
function stillHolds({ kind, itemId }: WorkNews, known: KnownItems): boolean {
  if (kind === 'overdue') return known.get(itemId) === true;
  return known.has(itemId) === (kind === 'mine');
}

/** Null when the person did it themselves, or may not see the item any more. */
async function newsOf(itemId: string): Promise<WorkNews | null> {
  try {
    const item = await client.work.getWork({ params: { id: itemId } });
    const change = item.owner_change;
    if (change === null || change.by_me) return null;
    const common = { itemId, faxId: item.inbound_fax_id, by: change.by, owner: item.owner?.name ?? null };
    if (item.is_mine) return item.state === 'done' ? null : { kind: 'mine', ...common };
    return change.from_me ? { kind: 'taken', ...common } : null;
  } catch (error) {
    sessionMayHaveEnded(error);
    return null;
  }
}

const keyOf = (personId: string) => `faxdesk.my-work.${personId}`;

/** IDs only, in this browser. */
function store(personId: string, known: KnownItems, since: string): void {
  try {
    localStorage.setItem(keyOf(personId), JSON.stringify({ since, known: JSON.stringify([...known]) }));
  } catch {
    // The next sign-in begins without news.
  }
}

function storedOf(personId: string): { known: KnownItems; since: string } | null {
  try {
    const { since, known: text } = JSON.parse(localStorage.getItem(keyOf(personId)) ?? '{}') as {
      since?: unknown;
      known?: unknown;
    };
    const known = parseKnown(typeof text === 'string' ? text : null);
    return known === null || typeof since !== 'string' ? null : { known, since };
  } catch {
    return null;
  }
}
