import { readdirSync, readFileSync } from 'node:fs';

/** What a child process of this one has taken, as Linux tells it. */
export interface ChildFigures {
  readonly pid: number;
  readonly processorMs: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const MS_PER_TICK = 10;

/** The children of this process that run; none where there is no `/proc`. */
export function ownChildren(): ChildFigures[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => figuresOf(Number(pid)) ?? []);
  } catch {
    return [];
  }
}

/** Null for a process of somebody else, and for one that has just ended. */
function figuresOf(pid: number): ChildFigures | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; what is counted stands behind it, from the third field on.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (fields[1] !== process.pid) return null;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return {
      pid,
      processorMs: ((fields[11] ?? 0) + (fields[12] ?? 0)) * MS_PER_TICK,
      rssBytes: bytes('VmRSS'),
      peakRssBytes: bytes('VmHWM'),
    };
  } catch {
    return null;
  }
}
