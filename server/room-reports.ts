import type { BootOptions } from './config/boot.ts';
import { lostKeyFile } from './data-key.ts';
import type { Room } from './features/room.ts';
import { lowSpaceWarnings, soon } from './http/health.ts';
import type { Seal } from './platform/seal.ts';

/**
 * Collects the warnings of the gateway itself (`own`), its disk and every room. This is the one list of warnings:
 * `/health/ready`, `/console/status`, the screen, `faxdesk health` and `faxdesk diagnose` show all of it. A part that
 * does not answer hides no warning of another; the problems report it.
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

/**
 * Collects the gateway's own warnings (about its start, its data folder and its key), and names the folder whose disk
 * is checked.
 */
export function ownWarnings(
  { boot, startWarnings }: { boot: BootOptions; startWarnings: readonly string[] },
  seal: Pick<Seal, 'problem'>,
): { own: readonly string[]; dataFolder: string } {
  const found = [boot.unused ?? null, lostKeyFile(boot, seal)].filter((sentence) => sentence !== null);
  return { own: [...startWarnings, ...found], dataFolder: boot.dataFolder };
}

/** Sums the counts of each kind of problem. */
export function countByKind(found: readonly { problem: string; count: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { problem, count } of found) counts[problem] = (counts[problem] ?? 0) + count;
  return counts;
}
