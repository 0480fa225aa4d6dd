import { client, rememberTokens } from '../../api/client.ts';
import { forgetPageToken } from '../../api/page-token.ts';
import { type Me, meQuery, queryClient } from '../../api/queries.ts';
import { isStatus } from '../../api/sentence.ts';

/** An owner whose password is still the temporary one, which nobody is shown. */
export interface UnclaimedOwner {
  readonly name: string;
  readonly login: string;
  readonly temporary: string;
  /** Sentence on why the chosen password was not stored yet. */
  readonly problem?: string;
}

const KEY = 'faxdesk.first-owner';

/** Returns the owner that an interrupted first step left in this window. A reload goes on with it. */
export function readInterruptedEnrollment(): UnclaimedOwner | null {
  try {
    const left = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<UnclaimedOwner> | null;
    const { name, login, temporary } = left ?? {};
    return name && login && temporary ? { name, login, temporary } : null;
  } catch {
    return null;
  }
}

export function forgetUnclaimed(): void {
  sessionStorage.removeItem(KEY);
}

/** Enrolls the owner with the installation key of this session. The temporary password stays in this window. */
export async function enrollOwner(person: { name: string; login: string }): Promise<UnclaimedOwner> {
  const { policy_version } = await readMe();
  const body = {
    login: person.login,
    display_name: person.name,
    expected_policy_version: policy_version,
  };
  const { temporary_password: temporary } = await client.access.enrollOwner({ body });
  const unclaimed = { name: person.name, login: person.login, temporary };
  sessionStorage.setItem(KEY, JSON.stringify(unclaimed));
  return unclaimed;
}

/**
 * Signs in as the new owner and puts the chosen password in place of the temporary one. It may be tried again after any
 * failure: an earlier try whose answer was lost may have gone through.
 */
export async function claim({ login, temporary }: UnclaimedOwner, password: string): Promise<void> {
  const me = await readMe();
  if (!me.password_change_required && !(await signIn(login, temporary))) {
    await client.access.login({ body: { login, password } });
    return forgetUnclaimed();
  }
  await readMe();
  await client.access.changePassword({ body: { current_password: temporary, password } });
  forgetUnclaimed();
}

/** False when that is no longer the password. */
async function signIn(login: string, password: string): Promise<boolean> {
  try {
    await client.access.login({ body: { login, password } });
    return true;
  } catch (error) {
    if (isStatus(error, 401)) return false;
    throw error;
  }
}

/** Read past the cache, so that the page does not change in the middle. */
async function readMe(): Promise<Me> {
  const me = await client.access.me();
  rememberTokens(me);
  return me;
}

/** Lets the page see who is signed in now, and all that this person may see; what stands there stays meanwhile. */
export async function showSession(): Promise<Me | null> {
  const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  return me;
}

export async function signOut(): Promise<void> {
  await client.access.logout().catch(() => undefined);
  forgetPageToken();
  queryClient.setQueryData(meQuery.queryKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
}
