/** How many files and connections the process may have open together; null where the system has no such limit. */
export function descriptorLimit(): number | null {
  // Else the report looks up the name of every peer, which may take seconds.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | 'unlimited' } };
  };
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : null;
}
