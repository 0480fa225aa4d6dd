import { LINE_BACKEND } from './backends.ts';

/** Name of the trunk in the configuration that Faxdesk writes for Asterisk. */
export const WRITTEN_TRUNK = 'faxdesk-trunk';

/**
 * Returns the id of the account of a trunk: its user, or its host where the carrier identifies the trunk by its
 * address.
 */
export function lineAccountId({
  byAddress,
  user,
  host,
}: {
  readonly byAddress: boolean;
  readonly user: string | null;
  readonly host: string;
}): string {
  return `${LINE_BACKEND}:${(byAddress ? null : user) ?? host}`;
}
