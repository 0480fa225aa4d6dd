import type { OwnKeys } from './identity.ts';
import type { DirectParts } from './parts.ts';
import type { PartnerRow } from './types.ts';

/** Returns the keys that the partner knows: after a rotation the former ones, until the partner was told of the new ones. */
export async function keysFor(
  { identity }: Pick<DirectParts, 'identity'>,
  { told_signing_key: told }: Pick<PartnerRow, 'told_signing_key'>,
): Promise<OwnKeys> {
  const known = told === null ? null : await identity.find(told);
  return known ?? identity.current();
}
