/** Clocks of printers count whole seconds, and differ from ours. */
const MARGIN_SECONDS = 5;

/**
 * Returns true when a printer has certainly run since a moment at which its up-time was known. `elapsedMs` is the time since
 * then by our clock, null where it is unknown; up-times are in seconds, null where the printer reports none.
 */
export function isRunningSince(
  upTimeThen: number | null,
  { upTime, elapsedMs }: { readonly upTime: number | null; readonly elapsedMs: number | null },
): boolean {
  if (upTimeThen === null || upTime === null || elapsedMs === null || elapsedMs < 0) return false;
  // After a restart it has run for no longer than the time since then.
  return upTime >= upTimeThen && upTime > elapsedMs / 1_000 + MARGIN_SECONDS;
}
