import { AccessConflictError } from './errors.ts';

/** Names are unique without regard to case; what has a name keeps it. Throws a 409 refusal. */
export function assertNameFree(
  taken: readonly { id: string; name: string }[],
  name: string,
  ownId: string | null = null,
): void {
  const wanted = folded(name);
  if (taken.some((other) => other.id !== ownId && folded(other.name) === wanted))
    throw new AccessConflictError('name_taken');
}

const folded = (name: string) => name.normalize().toLowerCase();
