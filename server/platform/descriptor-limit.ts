import { existsSync, readFileSync } from 'node:fs';

/** Returns the maximum number of open files and connections of the process; null where unknown or unlimited. */
export function descriptorLimit(): number | null {
  if (existsSync('/proc/self/limits')) {
    const [, soft] = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  }
  // Chromium raises the limit itself, and the report is not made for its processes.
  return process.versions['electron'] === undefined ? reportedLimit() : null;
}

function reportedLimit(): number | null {
  // Else the report looks up the name of every peer, which may take seconds.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | 'unlimited' } };
  };
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : null;
}
