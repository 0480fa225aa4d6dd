/** Some fields of an item; those left out stay. */
export type Patch<T> = { readonly [N in keyof T]?: T[N] | undefined };

/** The fields after a change. */
export function patched<T extends object>(fields: T, patch: Patch<T>): T {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...fields, ...Object.fromEntries(given) };
}

/** Old and new value of every field that differs, for the security audit. Lists count by what came and what went. */
export function changedFields<T extends object>(before: T, after: T): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [name, next] of Object.entries(after)) {
    const old = (before as Record<string, unknown>)[name];
    if (old === next) continue;
    if (!Array.isArray(old) || !Array.isArray(next)) changed[name] = { from: old, to: next };
    else if (differ(old, next).length + differ(next, old).length > 0)
      changed[name] = { added: differ(next, old), removed: differ(old, next) };
  }
  return changed;
}

function differ(list: readonly unknown[], from: readonly unknown[]): unknown[] {
  return list.filter((item) => !from.includes(item));
}
