/**
 * Returns the newer of two answers about one thing, by `delivery_version` (sent faxes), `version` (received faxes and work
 * items) or the number of entries (histories, which only grow). With equal numbers it returns `next`.
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
