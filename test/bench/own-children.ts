import { readdirSync, readFileSync } from 'node:fs';

/** Resources used by a child process of this one, as Linux reports them. */
interface ChildFigures {
  readonly pid: number;
  readonly parent: number;
  readonly processorMs: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const MS_PER_TICK = 10;

/** The children of this process that run; none where there is no `/proc`. */
export function ownChildren(): ChildFigures[] {
  return processes().filter(({ parent }) => parent === process.pid);
}

/** Processor time of the children of this process that have ended; 0 where there is no `/proc`. Milliseconds. */
export function endedChildrenMs(): number {
  try {
    const fields = statFields('self');
    return ((fields[13] ?? 0) + (fields[14] ?? 0)) * MS_PER_TICK;
  } catch {
    return 0;
  }
}

/** A process with all that it started, and what they started. */
export function descendants(pid: number): ChildFigures[] {
  const all = processes();
  const found = all.filter((one) => one.pid === pid);
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
  return found;
}

function processes(): ChildFigures[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => figuresOf(Number(pid)) ?? []);
  } catch {
    return [];
  }
}

/** Null for a process that has just ended. */
function figuresOf(pid: number): ChildFigures | null {
  try {
    const fields = statFields(String(pid));
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return {
      pid,
      parent: fields[1] ?? 0,
      processorMs: ((fields[11] ?? 0) + (fields[12] ?? 0)) * MS_PER_TICK,
      rssBytes: bytes('VmRSS'),
      peakRssBytes: bytes('VmHWM'),
    };
  } catch {
    return null;
  }
}

/** The name in brackets may hold anything; what is counted stands behind it, from the third field on. */
function statFields(process: string): number[] {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}
