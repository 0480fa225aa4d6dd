/** Settings of removed parts. An installation that still names one of them starts, and the name is ignored. */
const REMOVED = new Set(['PLUGIN_REGISTRY_PATH']);
const REMOVED_STARTS = ['TUNNEL_', 'FREESWITCH_', 'ADMIN_EXEC_', 'SERVER_ACTION'];
/** Providers that were removed: a backend setting that names one counts as not set. */
const REMOVED_BACKENDS = new Set(['freeswitch']);

/** Returns true when a name, in upper or flat lower case, belonged to a part that was removed. */
export function isRemovedSetting(name: string): boolean {
  const upper = name.toUpperCase();
  return REMOVED.has(upper) || REMOVED_STARTS.some((start) => upper.startsWith(start));
}

export function isRemovedBackend(text: string): boolean {
  return REMOVED_BACKENDS.has(text.trim().toLowerCase());
}
