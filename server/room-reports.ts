import type { Room } from './features/room.ts';

/** What somebody should look at: first of the gateway itself, then of every room. */
export async function warningsOf(rooms: readonly Room[], own: readonly string[]): Promise<string[]> {
  return [...own, ...(await Promise.all(rooms.map((room) => room.warnings()))).flat()];
}

/** How often each kind of problem was counted. */
export function countByKind(found: readonly { problem: string; count: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { problem, count } of found) counts[problem] = (counts[problem] ?? 0) + count;
  return counts;
}
