import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Open files and connections of a process; null where the system does not show them. */
export function descriptorsOf(pid: number): number | null {
  return existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : null;
}

/** Memory of a process in the machine, in MB; null where the system does not show it. */
export function residentMb(pid: number): number | null {
  return readStatusMb(pid, 'VmRSS');
}

/** The most that it ever had. */
export function peakMb(pid: number): number | null {
  return readStatusMb(pid, 'VmHWM');
}

function readStatusMb(pid: number, name: string): number | null {
  if (!existsSync(`/proc/${pid}/status`)) return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1]) / 1000);
}
