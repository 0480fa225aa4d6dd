/**
 * Of two answers about one thing the newer one, whichever came last: sent faxes count their changes in `delivery_version`,
 * received ones and work items in `version`, and a history only grows. With equal counts the later answer holds.
 */
export function newest<Answer>(before: Answer, next: Answer): Answer {
  const old = versionOf(before);
  const fresh = versionOf(next);
  return old !== null && fresh !== null && old > fresh ? before : next;
}

function versionOf(answer: unknown): number | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const {
    delivery_version: sent,
    version,
    events,
    items,
  } = answer as Readonly<Record<'delivery_version' | 'version' | 'events' | 'items', unknown>>;
  if (typeof sent === 'number') return sent;
  if (typeof version === 'number') return version;
  if (Array.isArray(events)) return events.length;
  return Array.isArray(items) ? items.length : null;
}
