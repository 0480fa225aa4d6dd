import { LINE_BACKEND } from './states.ts';

/** What the trunk is called in the configuration that Faxdesk writes for Asterisk. */
export const WRITTEN_TRUNK = 'faxdesk-trunk';

/** What the account of a trunk is called: by its user, or by its host where the carrier knows the trunk by its address; another trunk at Asterisk by its name there too. */
export function lineAccountId({
  byAddress,
  user,
  host,
  trunk = WRITTEN_TRUNK,
}: {
  readonly byAddress: boolean;
  readonly user: string | null;
  readonly host: string;
  /** At Asterisk. */
  readonly trunk?: string;
}): string {
  const name = `${LINE_BACKEND}:${(byAddress ? null : user) ?? host}`;
  return trunk === WRITTEN_TRUNK ? name : `${name} by ${trunk}`;
}
