import type { Room } from './features/room.ts';
import { lowSpaceWarnings, soon } from './http/health.ts';

/**
 * What somebody should look at, of the gateway itself (`own`), its disk and every room. This is the one list of warnings:
 * `/health/ready`, `/console/status`, the screen, `faxdesk health` and `faxdesk diagnose` show it whole. A part that does
 * not answer hides no warning of another; the problems say that it does not.
 */
export async function warningsOf(
  rooms: readonly Room[],
  { own, dataFolder }: { own: readonly string[]; dataFolder: string },
): Promise<string[]> {
  const parts = [lowSpaceWarnings(dataFolder), ...rooms.map((room) => room.warnings())];
  const found = await Promise.all(
    parts.map((part) =>
      soon(
        part.catch(() => []),
        [],
      ),
    ),
  );
  return [...own, ...found.flat()];
}

/** How often each kind of problem was counted. */
export function countByKind(found: readonly { problem: string; count: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { problem, count } of found) counts[problem] = (counts[problem] ?? 0) + count;
  return counts;
}
