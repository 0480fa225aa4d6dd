import { LINE_BACKEND } from './states.ts';

/** What the trunk is called in the configuration that Faxdesk writes for Asterisk. */
export const WRITTEN_TRUNK = 'faxdesk-trunk';

/** What the account of a trunk is called: by its user, or by its host where the carrier knows the trunk by its address. */
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
